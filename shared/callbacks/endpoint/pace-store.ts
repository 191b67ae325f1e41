import * as z from 'zod/mini';
import { endpointKey } from '../../platform/table/row-keys/callbacks.ts';
import { updateExpression, updateIf } from '../../platform/table/rows.ts';
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

/** The time at which the next message that joins the line at this pace returns; 0 if there is no line. */
export function lineUntil(pace: Pace, perSecond: number | undefined): number {
  return pace.linePerSecond === perSecond ? pace.lineUntil : 0;
}

/**
 * Ends the line, because its messages may be gone: those that returned while the endpoint was disabled are skipped. Slots
 * that were taken stay taken.
 */
export async function endLine(table: Table, endpointId: string): Promise<void> {
  await updateIf(table, {
    Key: endpointKey(endpointId, 'PACE'),
    ...updateExpression({ set: { lineUntil: 0 } }),
    ConditionExpression: 'attribute_exists(#lineUntil)',
  });
}

/** A span of slots, or of times in the line. It begins at `from`, or where the span taken before ends. */
export type Span = { from: number; spanMs: number } & (
  | { of: 'slotsUntil'; atMost: number; set: { oldestSince: number; expiresAt: number } }
  // A change of the pace ends the line, and another one begins.
  | { of: 'lineUntil'; atMost?: number; set: { linePerSecond: number; expiresAt: number } }
);

/**
 * Takes a span, over all workers, and returns where it begins; `start` is absent when that would be after `atMost`.
 * `seen` decides which of the two writes is tried first, so that one is enough unless another worker was faster.
 */
export async function takeSpan(
  table: Table,
  span: Span & { endpointId: string; seen: Pace },
): Promise<{ start?: number; pace: Pace }> {
  const { endpointId, seen, of, from, spanMs, atMost = Number.MAX_SAFE_INTEGER, set } = span;
  const untilOf = (pace: Pace) =>
    span.of === 'slotsUntil' ? pace.slotsUntil : lineUntil(pace, span.set.linePerSecond);
  const isLine = of === 'lineUntil';
  // While messages are in line, other workers take slots all the time, also those that `seen` shows as free.
  let until = Math.max(untilOf(seen), isLine ? 0 : seen.lineUntil);
  for (;;) {
    const isAdding = until >= from;
    const change = updateExpression(
      isAdding ? { set, add: { [of]: spanMs } } : { set: { ...set, [of]: from + spanMs } },
    );
    const adding = `#${of} BETWEEN :from AND :atMost${isLine ? ' AND #linePerSecond = :linePerSecond' : ''}`;
    const beginning = `attribute_not_exists(#${of}) OR #${of} < :from${isLine ? ' OR #linePerSecond <> :linePerSecond' : ''}`;
    const taken = await updateIf(table, {
      Key: endpointKey(endpointId, 'PACE'),
      ...change,
      ConditionExpression: isAdding ? adding : beginning,
      ExpressionAttributeValues: {
        ...change.ExpressionAttributeValues,
        ...{ ':from': from, ...(isAdding ? { ':atMost': atMost } : {}) },
      },
      ReturnValues: 'ALL_NEW',
    });
    const pace = Pace.parse(taken.row ?? {});
    if (taken.applied) return { start: pace[of] - spanMs, pace };
    until = untilOf(pace);
    if (until > atMost) return { pace };
  }
}
