import * as z from 'zod/mini';
import { days, epochSeconds } from '../../platform/runtime/clock.ts';
import { updateIf } from '../../platform/table/condition.ts';
import { endpointKey } from '../../platform/table/row-keys/callbacks.ts';
import type { Table } from '../../platform/table/table.ts';

/** The row of an endpoint's pace. Times are in ms, with fractions: at 300 a second, slots are 3 1/3 ms apart. */
export const Pace = z.object({
  /** All slots before this time have been taken. */
  slotsUntil: z._default(z.number(), 0),
  /** The next message that joins the line returns at this time. */
  lineUntil: z._default(z.number(), 0),
  /** The line belongs to this pace, and ends when the endpoint gets another one. */
  linePerSecond: z.optional(z.int()),
  /** When the callbacks that took the last slots began to wait. Those still in line began later. */
  oldestSince: z.optional(z.number()),
});
export type Pace = z.infer<typeof Pace>;

/** A row that was not changed for this long only says that all slots are free. */
const keptMs = days(30);

/** The place in the line of the next message at this pace; 0 if there is no line. */
export function lineUntil(pace: Pace, perSecond: number | undefined): number {
  return pace.linePerSecond === perSecond ? pace.lineUntil : 0;
}

/** The span begins at `from`, or where the span taken before ends. */
type Step = { from: number; spanMs: number; nowMs: number } & (
  | {
      of: 'slotsUntil';
      /** No slots are taken that would begin later. */
      atMost: number;
      oldestSince: number;
    }
  | { of: 'lineUntil'; perSecond: number }
);

/** The row that hands out slots and places in the line, over all workers. */
export function paceStore(table: Table) {
  return {
    /**
     * Takes a span of time, and returns where it begins; `undefined` when that would be after `atMost`. `seen` decides
     * which of the two writes is tried first, so that one write is enough unless another worker was faster.
     */
    take: async (partnerId: string, step: Step, seen: Pace) => {
      const takenUntil = (pace: Pace) =>
        step.of === 'slotsUntil' ? pace.slotsUntil : lineUntil(pace, step.perSecond);
      // While messages are in line, other workers take slots all the time, also those that `seen` shows as free.
      let until = Math.max(takenUntil(seen), step.of === 'slotsUntil' ? seen.lineUntil : 0);
      for (;;) {
        const taken = await updateIf(table, {
          Key: endpointKey(partnerId, 'PACE'),
          ...update(step, until >= step.from ? 'adding' : 'beginning'),
          ReturnValues: 'ALL_NEW',
        });
        const pace = Pace.parse(taken.row ?? {});
        if (taken.applied) return { start: pace[step.of] - step.spanMs, pace };
        if (step.of === 'slotsUntil' && pace.slotsUntil > step.atMost) return { start: undefined, pace };
        until = takenUntil(pace);
      }
    },
  };
}

export type PaceStore = ReturnType<typeof paceStore>;

const conditions = {
  slotsUntil: {
    adding: 'slotsUntil BETWEEN :from AND :atMost',
    beginning: 'attribute_not_exists(slotsUntil) OR slotsUntil < :from',
  },
  // A change of the pace ends the line, and another one begins.
  lineUntil: {
    adding: 'lineUntil >= :from AND linePerSecond = :perSecond',
    beginning: 'attribute_not_exists(lineUntil) OR lineUntil < :from OR linePerSecond <> :perSecond',
  },
} as const;

function update(step: Step, kind: 'adding' | 'beginning') {
  const { of, from, spanMs, nowMs } = step;
  const isAdding = kind === 'adding';
  const also = of === 'slotsUntil' ? 'oldestSince = :since' : 'linePerSecond = :perSecond';
  return {
    UpdateExpression: `SET ${of} = ${isAdding ? of : ':from'} + :span, expiresAt = :expiresAt, ${also}`,
    ConditionExpression: conditions[of][kind],
    ExpressionAttributeValues: {
      ':from': from,
      ':span': spanMs,
      ':expiresAt': epochSeconds(nowMs + keptMs),
      ...(of === 'slotsUntil' ? { ':since': step.oldestSince } : { ':perSecond': step.perSecond }),
      ...(of === 'slotsUntil' && isAdding ? { ':atMost': step.atMost } : {}),
    },
  };
}
