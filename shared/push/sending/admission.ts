import { type FailureCode, fail, failWithRetryAfter } from '../../platform/http/failures.ts';
import type { Clock } from '../../platform/runtime/clock.ts';
import { formatIssues } from '../../platform/validation/format-issues.ts';
import { deliverFromOf, timeIssues } from '../deadlines/deadline.ts';
import type { RecipientStore } from '../recipient-store.ts';
import type { PushContent } from './push-content.ts';
import { defaultPushLimits, type PushLimits } from './push-request.ts';
import type { RateVerdict, RateWindow } from './rate-window.ts';

type Sender = { partnerId: string; limits: PushLimits };

export type AdmissionDeps = { clock: Clock; rate: RateWindow; recipients: RecipientStore };

type SendAdmission<Code> = {
  msisdns: readonly number[];
  /** One content for all recipients, or one for each. */
  body: PushContent | readonly PushContent[];
  /** What each message takes from the rate limit, where it has a content of its own; otherwise each takes one. */
  counts?: readonly number[];
  dryRun: boolean;
  /** The failure of a request that fits into a later minute, and of one that fits into none. */
  refusals: { later: Code; never: Code };
};

function pushesPerMinute({ limits }: Sender): number {
  return limits.pushesPerMinute ?? defaultPushLimits.pushesPerMinute;
}

/** Headers of the IETF draft "RateLimit header fields for HTTP": of the minute in which the request was counted. */
function rateHeaders({ limit, remaining, resetSeconds }: RateVerdict): Record<string, string> {
  return {
    'ratelimit-policy': `"recipients";q=${limit};w=60`,
    ratelimit: `"recipients";r=${remaining};t=${resetSeconds}`,
  };
}

/** The headers of a replayed response: what is left now. */
export function presentRate(rate: RateWindow) {
  return async (sender: Sender) =>
    rateHeaders(await rate.look(sender.partnerId, { limit: pushesPerMinute(sender) }));
}

const whyWeighed = 'one for each started 1,024 bytes of payload, qos and utm of a message';

/** The refusal of a request that fits when the next minute begins. */
function laterSentence({ limit, resetSeconds }: RateVerdict, count: number, recipients: number): string {
  const reached = `msisdn: the limit of ${limit} recipients a minute is reached`;
  const counted = count > recipients ? `: this request counts as ${count} recipients, ${whyWeighed}` : '';
  return `${reached}${counted}, send again after ${resetSeconds} s`;
}

/** The refusal of a scheduled send, whose minute does not get free again. */
function minuteIsFullSentence({ limit }: RateVerdict, deliverFrom: number): string {
  const minute = `${new Date(deliverFrom).toISOString().slice(0, 16)}Z`;
  return `msisdn: the limit of ${limit} recipients a minute is reached for the minute of qos.deliverFrom, ${minute}; choose another minute`;
}

type TooLarge = { count: number; recipients: number; limit: number; isOneTooLarge: boolean };

/** The refusal of a request that fits into no minute, so it names no time. */
function neverSentence({ count, recipients, limit, isOneTooLarge }: TooLarge): string {
  const [who, counted, fit] =
    recipients === 1 ? ['1 recipient', 'counts', 'fits'] : [`${recipients} recipients`, 'count', 'fit'];
  const weighed = count > recipients ? ` ${counted} as ${count}, ${whyWeighed}, and` : '';
  const advice = isOneTooLarge ? 'send less content' : 'send several requests';
  return `msisdn: ${who}${weighed} never ${fit} into ${limit} a minute; ${advice}`;
}

/** The time for which a send is scheduled, which is the same in all its messages; ms. */
export function scheduledFor(body: PushContent | readonly PushContent[]): number | undefined {
  const [first] = [body].flat();
  return first && deliverFromOf(first);
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Checks the times of a send, takes it from the partner's rate limit, all or nothing, and returns which of the
 * recipients are registered. A scheduled send is taken from the minute of its `deliverFrom`; its dry run from the present one,
 * since nothing would show who has used up a minute to come.
 */
export async function admit<Code extends FailureCode>(
  { clock, rate, recipients }: AdmissionDeps,
  sender: Sender,
  { msisdns, body, counts, dryRun, refusals }: SendAdmission<Code>,
) {
  const issues = timeIssues(body, clock.now());
  if (issues.length > 0) return fail('REQUEST_INVALID', ...formatIssues({ issues }));
  const count = counts ? sumOf(counts) : msisdns.length;
  const fromMs = scheduledFor(body);
  const limit = pushesPerMinute(sender);
  const refusalOf = (verdict: RateVerdict, minute: number | undefined) => {
    const headers = rateHeaders(verdict);
    if (count > limit) {
      const isOneTooLarge = counts?.some((one) => one > limit) ?? false;
      const sentence = neverSentence({ count, recipients: msisdns.length, limit, isOneTooLarge });
      return { ...fail(refusals.never, sentence), headers };
    }
    if (minute !== undefined)
      return { ...fail(refusals.later, minuteIsFullSentence(verdict, minute)), headers };
    const sentence = laterSentence(verdict, count, msisdns.length);
    return { ...failWithRetryAfter(refusals.later, verdict.resetSeconds, sentence), headers };
  };
  const takenFrom = dryRun ? undefined : fromMs;
  const taken = await rate.take(sender.partnerId, count, { limit, fromMs: takenFrom });
  if (!taken.allowed) return refusalOf(taken, takenFrom);
  const verdict = takenFrom === fromMs ? taken : await rate.look(sender.partnerId, { limit, fromMs });
  if (takenFrom !== fromMs && verdict.remaining < count) return refusalOf(verdict, fromMs);
  const registered = await recipients.registeredAmong([...new Set(msisdns)], sender.partnerId);
  return { registered, headers: rateHeaders(verdict), acceptedAt: verdict.atMs };
}
