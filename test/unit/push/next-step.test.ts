import { expect, test } from 'vitest';
import { nextStep, wasDueBeforeRestore } from '../../../shared/push/deadlines/next-step.ts';

const at = Date.parse('2026-05-20T12:10:00Z');
const due = { sendId: 'send', partnerId: 'bars', acceptedAt: at - 600_000, dueAt: at };
const asked = { ...due, cancelRequestId: 'request' };
const plain = { bulkId: 'send', partnerId: 'bars', acceptedAt: at - 600_000, count: 2 };
const waiting = { ...plain, deliverFrom: at };
const released = { ...waiting, releasedAt: at + 5_000 };
const cancelled = { ...waiting, cancelledAt: at - 1 };

test.each([
  ['a scheduled send waits until 5 s after its time', due, waiting, 4_999, 'wait'],
  ['then it is released', due, waiting, 5_000, 'release'],
  ['one that was released has deadlines', due, released, 5_000, 'end'],
  ['one without a time too', due, plain, 5_000, 'end'],
  ['a deadline waits for 5 s too', due, plain, 4_999, 'wait'],
  ['one that was cancelled, and is done with, has nothing', due, cancelled, 5_000, 'drop'],
  ['one that is taken back does not wait for its time', asked, cancelled, -60_000, 'cancel'],
  ['one that was handed over is asked back', asked, { ...released, cancelledAt: at + 6_000 }, 0, 'ask back'],
  [
    'one that is stored later than what is due of it keeps its own time',
    { ...due, dueAt: at - 60_000 },
    waiting,
    0,
    'wait',
  ],
  [
    'one that is not stored yet is waited for',
    { ...due, acceptedAt: at - 295_000 },
    undefined,
    5_000,
    'wait',
  ],
  ['but five minutes at most', { ...due, acceptedAt: at - 295_001 }, undefined, 5_000, 'drop'],
] as const)('rule 54: %s', (_says, row, send, afterMs, step) => {
  expect(nextStep(row, send, at + afterMs)).toBe(step);
});

test('rule 54: after a restore nothing is released that was due up to its end', () => {
  expect(wasDueBeforeRestore(due, waiting)).toBe(false);
  expect(wasDueBeforeRestore({ ...due, restoredAt: at }, waiting)).toBe(true);
  expect(wasDueBeforeRestore({ ...due, restoredAt: at - 1 }, waiting)).toBe(false);
  expect(wasDueBeforeRestore({ ...due, restoredAt: at }, plain)).toBe(false);
});
