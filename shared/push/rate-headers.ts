import type { RateVerdict } from './rate-window.ts';

/**
 * Headers of the IETF draft "RateLimit header fields for HTTP"; `retry-after` when the request is refused.
 */
export function rateHeaders({ allowed, limit, remaining, resetSeconds }: RateVerdict) {
  return {
    headers: {
      'ratelimit-policy': `"default";q=${limit};w=60`,
      ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
      ...(allowed ? {} : { 'retry-after': String(resetSeconds) }),
    },
  };
}

export function limitSentence({ limit, resetSeconds }: RateVerdict): string {
  return `msisdn: the limit of ${limit} recipients a minute is reached, send again after ${resetSeconds} s`;
}
