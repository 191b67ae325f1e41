import { type FailureCode, fail } from '../../platform/http/failures.ts';
import type { Clock } from '../../platform/runtime/clock.ts';
import { deadlineErrors } from '../deadlines/deadline.ts';
import type { RecipientStore } from '../recipient-store.ts';
import { defaultPushLimits, type PushLimits } from './push-request.ts';
import type { RateVerdict, RateWindow } from './rate-window.ts';

type Sender = { callerId: string; limits: PushLimits };

export type AdmissionDeps = { clock: Clock; rate: RateWindow; recipients: RecipientStore };

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

/**
 * Checks the deadlines of a send, takes its recipients from the partner's rate limit, all or none, and returns which of
 * them are registered. `body` is one content, or an array with one for each recipient.
 */
export async function admit<Code extends FailureCode>(
  { clock, rate, recipients }: AdmissionDeps,
  sender: Sender,
  { msisdns, body, overLimit }: { msisdns: readonly number[]; body: unknown; overLimit: Code },
) {
  const errors = deadlineErrors(body, clock.now());
  if (errors.length > 0) return fail('REQUEST_INVALID', ...errors);
  const verdict = await rate.take(sender.callerId, msisdns.length, limitOf(sender));
  const headers = rateHeaders(verdict);
  if (!verdict.allowed) {
    const { limit, resetSeconds } = verdict;
    const sentence = `msisdn: the limit of ${limit} recipients a minute is reached, send again after ${resetSeconds} s`;
    return { ...fail(overLimit, sentence), headers };
  }
  const registered = await recipients.registeredAmong([...new Set(msisdns)], sender.callerId);
  return { registered, headers, acceptedAt: verdict.atMs };
}
