import { expect, test } from 'vitest';
import { type Decision, decide, type Facts } from '../../../shared/callbacks/delivery/decide.ts';

const nowMs = 1_000_000;
const circumstances = { nowMs, random: () => 0.5, retrySpeed: 1 };

const first = { tries: 0, attempts: [] };
const earlier = { at: 1, durationMs: 20, httpStatus: 500, error: 'status' as const };
const refused = { at: nowMs - 40, durationMs: 40, error: 'connect' as const };
const status503 = { at: nowMs - 40, durationMs: 40, httpStatus: 503, error: 'status' as const };
const answered = { at: nowMs - 40, durationMs: 40, httpStatus: 204 };
const unharmed = {};

function after(tries: number) {
  return { tries, attempts: [earlier] };
}

const table: [string, Facts, Decision][] = [
  [
    'this machine had no socket: the message returns to the queue',
    { kind: 'not attempted', history: first, error: new Error('no attempt could be made: local') },
    { kind: 'left', error: new Error('no attempt could be made: local') },
  ],
  [
    'a partner without an endpoint: kept for a replay',
    { kind: 'out of service', history: first, reason: 'no endpoint' },
    {
      kind: 'skipped',
      reason: 'no endpoint',
      progress: { ...first, status: 'skipped', reason: 'no endpoint' },
    },
  ],
  [
    'a retry to an endpoint that is disabled: kept for a replay, with its attempts',
    { kind: 'out of service', history: after(3), reason: 'disabled' },
    {
      kind: 'skipped',
      reason: 'disabled',
      progress: { tries: 3, attempts: [earlier], status: 'skipped', reason: 'disabled' },
    },
  ],
  [
    'an open circuit: deferred until it closes, without an attempt',
    { kind: 'circuit open', history: after(1) },
    {
      kind: 'deferred',
      progress: { tries: 1, attempts: [earlier], status: 'waiting', dueAt: nowMs, waitsForCircuit: true },
    },
  ],
  [
    'a 2xx: delivered',
    { kind: 'succeeded', history: first, attempt: answered, after: {}, log: 'all' },
    {
      kind: 'delivered',
      progress: { tries: 1, attempts: [answered], status: 'delivered' },
    },
  ],
  [
    'a 2xx to a retry, which closed the circuit: delivered, with the attempts before it',
    { kind: 'succeeded', history: after(2), attempt: answered, after: { circuit: 'closed' } },
    {
      kind: 'delivered',
      progress: { tries: 3, attempts: [earlier, answered], status: 'delivered' },
    },
  ],
  [
    'a first attempt that failed: again after 5 s, by a delayed message',
    { kind: 'failed', history: first, attempt: refused, after: unharmed },
    {
      kind: 'retry',
      delayMs: 5_000,
      progress: { tries: 1, attempts: [refused], status: 'waiting', dueAt: 1_005_000 },
    },
  ],
  [
    'a third attempt that failed: again after 30 min, which is too long for a delayed message',
    { kind: 'failed', history: after(2), attempt: refused, after: unharmed },
    {
      kind: 'retry',
      progress: { tries: 3, attempts: [earlier, refused], status: 'waiting', dueAt: 2_800_000 },
    },
  ],
  [
    'a Retry-After of 15 minutes: the longest delay of a message',
    { kind: 'failed', history: first, attempt: status503, retryAfter: '900', after: unharmed },
    {
      kind: 'retry',
      delayMs: 900_000,
      progress: { tries: 1, attempts: [status503], status: 'waiting', dueAt: 1_900_000 },
    },
  ],
  [
    'a Retry-After of a second more: no delayed message',
    { kind: 'failed', history: first, attempt: status503, retryAfter: '901', after: unharmed },
    {
      kind: 'retry',
      progress: { tries: 1, attempts: [status503], status: 'waiting', dueAt: 1_901_000 },
    },
  ],
  [
    'a retry that is due when the line of the pace ends: a delayed message',
    { kind: 'failed', history: first, attempt: refused, after: { lineUntilMs: 1_005_000 } },
    {
      kind: 'retry',
      delayMs: 5_000,
      progress: { tries: 1, attempts: [refused], status: 'waiting', dueAt: 1_005_000 },
    },
  ],
  [
    'a retry that is due before the line of the pace ends: no delayed message',
    { kind: 'failed', history: first, attempt: refused, after: { lineUntilMs: 1_005_001 } },
    {
      kind: 'retry',
      progress: { tries: 1, attempts: [refused], status: 'waiting', dueAt: 1_005_000 },
    },
  ],
  [
    'a failure that opened the circuit: not before the circuit half-opens',
    {
      kind: 'failed',
      history: first,
      attempt: refused,
      after: { circuit: 'opened', openUntilMs: 1_030_000 },
    },
    {
      kind: 'retry',
      delayMs: 30_000,
      progress: { tries: 1, attempts: [refused], status: 'waiting', dueAt: 1_030_000 },
    },
  ],
  [
    'a circuit that half-opens before the retry is due: the schedule counts',
    {
      kind: 'failed',
      history: after(1),
      attempt: refused,
      after: { circuit: 'opened', openUntilMs: 1_030_000 },
    },
    {
      kind: 'retry',
      delayMs: 300_000,
      progress: { tries: 2, attempts: [earlier, refused], status: 'waiting', dueAt: 1_300_000 },
    },
  ],
  [
    'a failure that disabled the endpoint: kept for a replay, with this attempt',
    {
      kind: 'failed',
      history: first,
      attempt: { ...status503, httpStatus: 410 },
      after: { disabled: 'answered 410' },
    },
    {
      kind: 'skipped',
      reason: 'answered 410',
      progress: {
        tries: 1,
        attempts: [{ at: 999_960, durationMs: 40, httpStatus: 410, error: 'status' }],
        status: 'skipped',
        reason: 'answered 410',
      },
    },
  ],
  [
    'the tenth attempt that failed: kept for a replay',
    { kind: 'failed', history: after(9), attempt: refused, after: unharmed },
    {
      kind: 'failed',
      reason: 'all attempts failed',
      progress: {
        tries: 10,
        attempts: [earlier, refused],
        status: 'failed',
        reason: 'all attempts failed',
      },
    },
  ],
];

test.each(table)('%s', (_title, facts, expected) => {
  expect(decide(facts, circumstances)).toEqual(expected);
});

test('random moves a retry by a fifth at most, and a retry speed divides its wait', () => {
  const facts: Facts = { kind: 'failed', history: first, attempt: refused, after: unharmed };
  const dueAt = (change: object) => {
    const decision = decide(facts, { ...circumstances, ...change });
    return decision.kind === 'retry' && decision.progress.dueAt;
  };
  expect(dueAt({ random: () => 0 })).toBe(1_004_000);
  expect(dueAt({ random: () => 0.999_999_999 })).toBe(1_006_000);
  expect(dueAt({ retrySpeed: 10 })).toBe(1_000_500);
});
