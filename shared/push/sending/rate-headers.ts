import { defaultPushLimits, type PushLimits } from './push-request.ts';
import type { RateVerdict, RateWindow } from './rate-window.ts';

/** Headers of the IETF draft "RateLimit header fields for HTTP"; `retry-after` when the request is refused. */
export function rateHeaders({ allowed, limit, remaining, resetSeconds }: RateVerdict) {
  return {
    headers: {
      'ratelimit-policy': `"recipients";q=${limit};w=60`,
      ratelimit: `"recipients";r=${remaining};t=${resetSeconds}`,
      ...(allowed ? {} : { 'retry-after': String(resetSeconds) }),
    },
  };
}

/** The headers of a replayed response: what is left now. */
export function presentRate(rate: RateWindow) {
  return async ({ callerId, limits }: { callerId: string; limits: PushLimits }) => {
    const limit = limits.pushesPerMinute ?? defaultPushLimits.pushesPerMinute;
    return rateHeaders(await rate.look(callerId, limit)).headers;
  };
}

export function limitSentence({ limit, resetSeconds }: RateVerdict): string {
  return `msisdn: the limit of ${limit} recipients a minute is reached, send again after ${resetSeconds} s`;
}
