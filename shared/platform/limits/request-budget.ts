import * as z from 'zod/mini';
import { type Failure, failWithRetryAfter } from '../http/failures.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import { epochSeconds, minutes } from '../runtime/clock.ts';
import { requestsKey } from '../table/row-keys/requests.ts';
import { updateExpression, updateIf } from '../table/rows.ts';
import type { Table } from '../table/table.ts';

/** A partner has a budget of requests for its cash desks, one for requests that are dear, and one for all others. */
export type Budget = 'tills' | 'heavy' | 'others';

/** Requests are counted in windows of the clock of this length. */
const budgetWindowMs = 10_000;

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
    named:
      ' for lists, examinations, bulk sends and their cancellation, reports, replays and sessions with many errors',
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

export function budgetLimit(limits: BudgetLimits, budget: Budget): number {
  return limits[limitNames[budget]] ?? budgetRules[budget].standard;
}

/*
 * Changes at once wait for each other's writes, in executions that all partners share. So they count as more requests: 20
 * changes of an endpoint or of keys fit into 10 s, of which each reads all keys again when another was faster, and 100 of
 * promotions, which share a partition, or of messages of one planned send, which share its row.
 */
export const changeOfSettings = 50;
export const changeOfPromotion = 10;
export const changeOfPlannedSend = 10;

/** Parsing this many characters of JSON takes half a second of a processor at most, however they are nested and named. */
const charactersOfRequest = 2_000_000;
/** A list or message that gzip makes no smaller takes a write unit for each kB. */
const sentBytesOfRequest = 500_000;

/**
 * How many more requests a body counts as: one for each further 500,000 bytes begun as it was sent, or 2,000,000
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
type Earlier = { reported: Reported; unreported: number; windowsAgo: number };

/**
 * Whether an instance reports from the first request on: if it has seen the partner use a tenth of its budget within the
 * last minute, or has served all it may serve unseen in the window before, as others may have. So only the first window
 * of a burst finds instances that do not know about each other.
 */
function reportsAtOnce(
  { limit, unseen }: { limit: number; unseen: number },
  { reported, unreported, windowsAgo }: Earlier,
): boolean {
  if (reported.requests === 0) return windowsAgo === 1 && unreported >= unseen;
  return windowsAgo * budgetWindowMs <= minutes(1) && reported.requests * 10 >= limit;
}

/**
 * The failure of a request that counts as so many and is beyond the budget, with headers of the IETF draft "RateLimit
 * header fields for HTTP".
 */
function overBudget(
  budget: Budget,
  { limit, used, counted, nowMs }: { limit: number; used: number; counted: number; nowMs: number },
): Failure<'REQUEST_LIMIT_EXCEEDED'> {
  const afterSeconds = Math.ceil((budgetWindowMs - (nowMs % budgetWindowMs)) / 1_000);
  const what = `${limit.toLocaleString('en-US')}${budgetRules[budget].named}`;
  const windowSeconds = budgetWindowMs / 1_000;
  const many = counted > 1 ? `, this request counts as ${counted.toLocaleString('en-US')}` : '';
  const sentence = `requests: ${what} in ${windowSeconds} s over all keys of the partner${many}, ask again in ${afterSeconds} s`;
  return {
    ...failWithRetryAfter('REQUEST_LIMIT_EXCEEDED', afterSeconds, sentence),
    headers: {
      'ratelimit-policy': `"requests";q=${limit};w=${windowSeconds}`,
      ratelimit: `"requests";r=${Math.max(0, limit - used)};t=${afterSeconds}`,
    },
  };
}

/** Whose budgets a request is taken from. */
export type Payer = { partnerId: string; limits: BudgetLimits };

/** What an instance knows of a window. `unreported` requests were served since its last report. */
type Seen = { window: number; reported: Reported; unreported: number; reportsAt: number };

const Row = z.object({ requests: z.number(), instances: z.number() });
const nothing: Reported = { requests: 0, instances: 0 };

/**
 * The budgets of partners, over all function instances. An instance counts what it serves of a partner in a window, and
 * after a handful adds its count to the window's row before it serves the next request. The new total tells it when to
 * add again, or that the budget is used up; then it refuses without a call until the window ends.
 */
export function requestBudgets(table: Table) {
  const seen = new BoundedMap<string, Seen>();

  const seenNow = (
    key: string,
    window: number,
    { limit, unseen }: { limit: number; unseen: number },
  ): Seen => {
    const before = seen.get(key);
    if (before?.window === window) return before;
    const atOnce =
      before && reportsAtOnce({ limit, unseen }, { ...before, windowsAgo: window - before.window });
    const now = { window, reported: nothing, unreported: 0, reportsAt: atOnce ? 1 : unseen + 1 };
    seen.set(key, now);
    return now;
  };

  return {
    /**
     * Takes requests from a partner's budget, or returns the failure. `before` of them were taken for the same request: it
     * takes no more than the whole budget, so that it fits once nothing else is taken.
     */
    take: async (
      { partnerId, limits }: Payer,
      { budget, requests: asked, before = 0 }: { budget: Budget; requests: number; before?: number },
      nowMs: number,
    ): Promise<Failure<'REQUEST_LIMIT_EXCEEDED'> | undefined> => {
      const limit = budgetLimit(limits, budget);
      const taken = Math.min(asked, limit - before);
      if (taken <= 0) return undefined;
      const window = Math.floor(nowMs / budgetWindowMs);
      const { unseen } = budgetRules[budget];
      const own = seenNow(`${partnerId} ${budget}`, window, { limit, unseen });
      const used = () => own.reported.requests + own.unreported;
      const refused = () => overBudget(budget, { limit, used: used(), counted: before + taken, nowMs });
      if (used() + taken > limit) return refused();
      own.unreported += taken;
      if (own.unreported < own.reportsAt) return undefined;
      const requests = own.unreported;
      own.unreported = 0;
      const update = updateExpression({
        set: { expiresAt: epochSeconds((window + 2) * budgetWindowMs) },
        add: { requests, instances: own.reported.instances === 0 ? 1 : 0 },
      });
      const counted = await updateIf(table, {
        Key: requestsKey(partnerId, budget, window),
        ...update,
        ConditionExpression: 'attribute_not_exists(requests) OR requests <= :room',
        ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':room': limit - requests },
        ReturnValues: 'ALL_NEW',
      });
      const row = Row.parse(counted.row);
      if (counted.applied) {
        own.reported = row;
        own.reportsAt = reportEvery(limit, row);
        return undefined;
      }
      // A refused request takes nothing: smaller ones may still fit.
      own.unreported += requests - taken;
      own.reported = { ...own.reported, requests: row.requests };
      return refused();
    },
  };
}

export type RequestBudgets = ReturnType<typeof requestBudgets>;
