import { type FailureCode, fail } from '../../platform/http/failures.ts';
import type { Clock } from '../../platform/runtime/clock.ts';
import { deadlineErrors } from '../deadlines/deadline.ts';
import type { RecipientStore } from '../recipient-store.ts';
import { defaultPushLimits, type PushLimits } from './push-request.ts';
import type { RateVerdict, RateWindow } from './rate-window.ts';

type Sender = { callerId: string; limits: PushLimits };

export type AdmissionDeps = { clock: Clock; rate: RateWindow; recipients: RecipientStore };

type Admission<Code> = {
  msisdns: readonly number[];
  body: unknown;
  /** What the request takes from the rate limit. */
  count: number;
  overLimit: Code;
};

function limitOf({ limits }: Sender): number {
  return limits.pushesPerMinute ?? defaultPushLimits.pushesPerMinute;
}

/** Headers of the IETF draft "RateLimit header fields for HTTP"; `retry-after` when the request is refused. */
function rateHeaders({ allowed, limit, remaining, resetSeconds }: RateVerdict): Record<string, string> {
  return {
    'ratelimit-policy': `"recipients";q=${limit};w=60`,
    ratelimit: `"recipients";r=${remaining};t=${resetSeconds}`,
    ...(allowed ? {} : { 'retry-after': String(resetSeconds) }),
  };
}

/** The headers of a replayed response: what is left now. */
export function presentRate(rate: RateWindow) {
  return async (sender: Sender) => rateHeaders(await rate.look(sender.callerId, limitOf(sender)));
}

/** The sentence of a refusal. A request that counts more than the limit fits into no minute, so it names no time. */
function rateSentence({ limit, resetSeconds }: RateVerdict, count: number, recipients: number): string {
  const isWeighed = count > recipients;
  const why = isWeighed ? ', one for each started 1,024 bytes of payload, qos and utm of a message' : '';
  const counted = `this request counts as ${count} recipients${why}`;
  if (count > limit) return `msisdn: ${counted}; the limit is ${limit} a minute, send several requests`;
  const reached = `msisdn: the limit of ${limit} recipients a minute is reached`;
  return `${reached}${isWeighed ? `: ${counted}` : ''}, send again after ${resetSeconds} s`;
}

/**
 * Checks the deadlines of a send, takes `count` from the partner's rate limit, all or nothing, and returns which of the
 * recipients are registered. `body` is one content, or an array with one for each recipient.
 */
export async function admit<Code extends FailureCode>(
  { clock, rate, recipients }: AdmissionDeps,
  sender: Sender,
  { msisdns, body, count, overLimit }: Admission<Code>,
) {
  const errors = deadlineErrors(body, clock.now());
  if (errors.length > 0) return fail('REQUEST_INVALID', ...errors);
  const verdict = await rate.take(sender.callerId, count, limitOf(sender));
  const headers = rateHeaders(verdict);
  if (!verdict.allowed) return { ...fail(overLimit, rateSentence(verdict, count, msisdns.length)), headers };
  const registered = await recipients.registeredAmong([...new Set(msisdns)], sender.callerId);
  return { registered, headers, acceptedAt: verdict.atMs };
}
