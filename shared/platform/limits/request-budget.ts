import { type Failure, failWithRetryAfter } from '../http/failures.ts';
import { minutes } from '../runtime/clock.ts';

/** A partner has a budget of requests for its cash desks, one for requests that are dear, and one for all others. */
export type Budget = 'tills' | 'heavy' | 'others';

/** Requests are counted in windows of the clock of this length. */
export const budgetWindowMs = 10_000;

type BudgetRules = {
  /** The requests in a window, if nothing else is agreed. */
  standard: number;
  /** An instance serves this many in a window before it first reports them. */
  unseen: number;
  /** The requests, as the sentence of a refusal names them after their number. */
  named: string;
};

/** Rule 48. A quiet partner's instances stay below `unseen`, so that its requests cost no write more. */
export const budgetRules: Readonly<Record<Budget, BudgetRules>> = {
  tills: { standard: 1_000, unseen: 3, named: ' of cash desks' },
  heavy: {
    standard: 60,
    unseen: 1,
    named: ' for lists, bulk sends, reports, replays and sessions with many errors',
  },
  others: { standard: 1_000, unseen: 3, named: '' },
};

/** The agreed sizes of a partner's budgets. An absent one is the standard. */
export type BudgetLimits = {
  tillRequests?: number | undefined;
  heavyRequests?: number | undefined;
  otherRequests?: number | undefined;
};

const limitNames = { tills: 'tillRequests', heavy: 'heavyRequests', others: 'otherRequests' } as const;

export function budgetOf(limits: BudgetLimits, budget: Budget): number {
  return limits[limitNames[budget]] ?? budgetRules[budget].standard;
}

/** Parsing this many characters of JSON takes up to half a second, however they are nested and named. */
const charactersOfRequest = 4_000_000;
/** A list or message that gzip makes no smaller takes a write unit for each kB. */
const sentBytesOfRequest = 500_000;

/**
 * How many more requests a body counts as: one for each further 500,000 bytes begun as it was sent, or 4,000,000
 * characters once gunzipped, whichever are more.
 */
export function moreForBody({ text, sentBytes }: { text: string; sentBytes: number }): number {
  const byText = Math.ceil(text.length / charactersOfRequest);
  return Math.max(1, byText, Math.ceil(sentBytes / sentBytesOfRequest)) - 1;
}

/** What instances have reported of a window, and how many of them have. */
export type Reported = { requests: number; instances: number };

const mostInReport = 20;

/**
 * How many requests an instance serves until it reports them: at most 20, no more than are left, and fewer the more
 * instances report. The nth instance has at most 1/16n of the budget unreported, all together less than a fifth of it.
 */
export function reportEvery(limit: number, { requests, instances }: Reported): number {
  const share = Math.floor(limit / (16 * instances));
  return Math.max(1, Math.min(mostInReport, limit - requests, share));
}

/** What an instance served of a partner in an earlier window. */
export type Earlier = { reported: Reported; unreported: number; windowsAgo: number };

/**
 * Whether an instance reports from the first request on: if it has seen the partner use a tenth of its budget within the
 * last minute, or has served all it may serve unseen in the window before, as others may have. So only the first window
 * of a burst finds instances that do not know about each other.
 */
export function reportsAtOnce(
  { limit, unseen }: { limit: number; unseen: number },
  { reported, unreported, windowsAgo }: Earlier,
): boolean {
  if (reported.instances === 0) return windowsAgo === 1 && unreported >= unseen;
  return windowsAgo * budgetWindowMs <= minutes(1) && reported.requests * 10 >= limit;
}

/** The failure of a request beyond the budget, with headers of the IETF draft "RateLimit header fields for HTTP". */
export function overBudget(budget: Budget, limit: number, nowMs: number): Failure<'REQUEST_LIMIT_EXCEEDED'> {
  const afterSeconds = Math.ceil((budgetWindowMs - (nowMs % budgetWindowMs)) / 1_000);
  const what = `${limit.toLocaleString('en-US')}${budgetRules[budget].named}`;
  const windowSeconds = budgetWindowMs / 1_000;
  const sentence = `requests: ${what} in ${windowSeconds} s over all keys of the partner, ask again in ${afterSeconds} s`;
  return {
    ...failWithRetryAfter('REQUEST_LIMIT_EXCEEDED', afterSeconds, sentence),
    headers: {
      'ratelimit-policy': `"requests";q=${limit};w=${windowSeconds}`,
      ratelimit: `"requests";r=0;t=${afterSeconds}`,
    },
  };
}
