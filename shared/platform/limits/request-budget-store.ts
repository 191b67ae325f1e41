import * as z from 'zod/mini';
import type { Failure } from '../http/failures.ts';
import { epochSeconds } from '../runtime/clock.ts';
import { updateExpression } from '../table/condition.ts';
import { requestsKey } from '../table/row-keys/requests.ts';
import { updateRow } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import {
  type Budget,
  type BudgetLimits,
  budgetOf,
  budgetRules,
  budgetWindowMs,
  overBudget,
  type Reported,
  reportEvery,
  reportsAtOnce,
} from './request-budget.ts';

/** Whose budgets a request is taken from. */
export type Payer = { partnerId: string; limits: BudgetLimits };

/** What an instance knows of a window. `unreported` requests were served since its last report. */
type Seen = { window: number; reported: Reported; unreported: number; reportsAt: number };

const Row = z.object({ requests: z.number(), instances: z.number() });
const nothing: Reported = { requests: 0, instances: 0 };
const maxSeen = 1_000;

/**
 * The budgets of partners, over all function instances. An instance counts what it serves of a partner in a window, and
 * after a handful adds its count to the window's row before it serves the next request. The new total tells it when to
 * add again, or that the budget is used up; then it refuses without a call until the window ends.
 */
export function requestBudgets(table: Table) {
  const seen = new Map<string, Seen>();

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
    if (seen.size >= maxSeen) seen.clear();
    seen.set(key, now);
    return now;
  };

  return {
    /**
     * Takes requests from a partner's budget, or returns the failure. At most one less than the whole budget are taken,
     * so that a request that turns out to count as many fits once nothing else is taken.
     */
    take: async (
      { partnerId, limits }: Payer,
      { budget, requests: asked }: { budget: Budget; requests: number },
      nowMs: number,
    ): Promise<Failure<'REQUEST_LIMIT_EXCEEDED'> | undefined> => {
      const limit = budgetOf(limits, budget);
      const window = Math.floor(nowMs / budgetWindowMs);
      const { unseen } = budgetRules[budget];
      const own = seenNow(`${partnerId} ${budget}`, window, { limit, unseen });
      if (own.reported.requests >= limit) return overBudget(budget, limit, nowMs);
      own.unreported += Math.max(1, Math.min(asked, limit - 1));
      if (own.unreported < own.reportsAt) return undefined;
      const requests = own.unreported;
      own.unreported = 0;
      const { Attributes } = await updateRow(table, {
        Key: requestsKey(partnerId, budget, window),
        ...updateExpression({
          set: { expiresAt: epochSeconds((window + 2) * budgetWindowMs) },
          add: { requests, instances: own.reported.instances === 0 ? 1 : 0 },
        }),
        ReturnValues: 'ALL_NEW',
      });
      own.reported = Row.parse(Attributes);
      own.reportsAt = reportEvery(limit, own.reported);
      // Everything reported before this request was served, so at least the whole budget has been.
      return own.reported.requests > limit ? overBudget(budget, limit, nowMs) : undefined;
    },
  };
}

export type RequestBudgets = ReturnType<typeof requestBudgets>;
