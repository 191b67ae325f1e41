import * as z from 'zod/mini';
import { days, epochSeconds } from '../../platform/runtime/clock.ts';
import { updateIf } from '../../platform/table/condition.ts';
import { endpointPaceKey } from '../../platform/table/keys.ts';
import type { Table } from '../../platform/table/table.ts';

/** When a paced endpoint is called. Times are in ms, with fractions: at 300 a second, slots are 3 1/3 ms apart. */
export const Pace = z.object({
  /** Every slot before this time has been taken. */
  slotsUntil: z._default(z.number(), 0),
  /** The place in the line of the next message: the time at which it returns. */
  lineUntil: z._default(z.number(), 0),
  /** When the callbacks that took the last slots began to wait. Those still in line began later. */
  oldestSince: z.optional(z.number()),
});
export type Pace = z.infer<typeof Pace>;

/** A row that was not changed for this long only says that all slots are free. */
const keptMs = days(30);

type Step = {
  of: 'slotsUntil' | 'lineUntil';
  /** The span begins here, or where the span taken before ends. */
  from: number;
  /** No span is taken that would begin later. */
  atMost?: number;
  spanMs: number;
  oldestSince?: number;
  nowMs: number;
};

/** The row that hands out slots and places in the line, over all workers. */
export function paceStore(table: Table) {
  return {
    /**
     * Takes a span of time, and returns where it begins; `undefined` when that would be after `atMost`. `seen` says which
     * of the two writes to try: one is enough, unless another worker was faster.
     */
    take: async (
      partnerId: string,
      step: Step,
      seen: Pace,
    ): Promise<{ start: number | undefined; pace: Pace }> => {
      const { of, from, atMost = Number.MAX_SAFE_INTEGER, spanMs } = step;
      for (let pace = seen; ; ) {
        const taken = await updateIf(table, {
          Key: endpointPaceKey(partnerId),
          ...(pace[of] >= from ? addingTo(step, atMost) : startingFrom(step)),
          ReturnValues: 'ALL_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        });
        pace = Pace.parse((taken.applied ? taken.result.Attributes : taken.existing) ?? {});
        if (taken.applied) return { start: pace[of] - spanMs, pace };
        if (pace[of] > atMost) return { start: undefined, pace };
      }
    },
  };
}

export type PaceStore = ReturnType<typeof paceStore>;

/** The update of a transaction after which no message has a place in the line. */
export function endedLine(table: Table, partnerId: string, nowMs: number) {
  return {
    TableName: table.name,
    Key: endpointPaceKey(partnerId),
    UpdateExpression: 'SET lineUntil = :none, expiresAt = :expiresAt',
    ExpressionAttributeValues: { ':none': 0, ':expiresAt': epochSeconds(nowMs + keptMs) },
  };
}

function addingTo(step: Step, atMost: number) {
  const { from } = step;
  return update(step, {
    value: '#of + :span',
    condition: '#of BETWEEN :from AND :atMost',
    values: { ':from': from, ':atMost': atMost },
  });
}

function startingFrom(step: Step) {
  return update(step, {
    value: ':from + :span',
    condition: 'attribute_not_exists(#of) OR #of < :from',
    values: { ':from': step.from },
  });
}

function update(
  { of, spanMs, oldestSince, nowMs }: Step,
  { value, condition, values }: { value: string; condition: string; values: Record<string, number> },
) {
  const since = oldestSince === undefined ? '' : ', oldestSince = :since';
  return {
    UpdateExpression: `SET #of = ${value}, expiresAt = :expiresAt${since}`,
    ConditionExpression: condition,
    ExpressionAttributeNames: { '#of': of },
    ExpressionAttributeValues: {
      ...values,
      ':span': spanMs,
      ':expiresAt': epochSeconds(nowMs + keptMs),
      ...(oldestSince === undefined ? {} : { ':since': oldestSince }),
    },
  };
}
