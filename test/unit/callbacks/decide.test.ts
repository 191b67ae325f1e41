import { expect, test } from 'vitest';
import { type Decision, decide, type Facts } from '../../../shared/callbacks/delivery/decide.ts';

const nowMs = 1_000_000;
const circumstances = { nowMs, random: () => 0.5, retrySpeed: 1 };

const first = { tries: 0, attempts: [] };
const earlier = { at: 1, durationMs: 20, httpStatus: 500, error: 'status' as const };
const refused = { at: nowMs - 40, durationMs: 40, error: 'connect' as const };

function after(tries: number) {
  return { tries, attempts: [earlier] };
}

type Failed = Extract<Facts, { kind: 'failed' }>;

function failed(change: Partial<Failed> = {}): Failed {
  return { kind: 'failed', history: first, attempt: refused, after: {}, ...change };
}

/** The decision to wait until `dueAt`; a delayed message comes at that time, unless the wait is too long for one. */
function retry(
  dueAt: number,
  { delayed = true, history = { tries: 1, attempts: [refused] } } = {},
): Decision {
  const progress = { ...history, status: 'waiting' as const, dueAt };
  return { kind: 'retry', progress, delayMs: delayed ? dueAt - nowMs : undefined };
}

function kept(kind: 'skipped' | 'failed', reason: string, history: typeof first | object): Decision {
  return { kind, reason, progress: { ...history, status: kind, reason } } as Decision;
}

const opened = { circuit: 'opened', openUntilMs: 1_030_000 } as const;

test.each<[string, Facts, Decision]>([
  [
    'a retry to an endpoint that is disabled: kept for a replay, with its attempts',
    { kind: 'out of service', history: after(3), reason: 'disabled' },
    kept('skipped', 'disabled', after(3)),
  ],
  [
    'an endpoint whose mode has become feed: the message comes again',
    { kind: 'feed', history: after(3) },
    { kind: 'left' },
  ],
  [
    'a Retry-After of 15 minutes: the longest delay of a message',
    failed({ retryAfter: '900' }),
    retry(1_900_000),
  ],
  [
    'a Retry-After of a second more: no delayed message',
    failed({ retryAfter: '901' }),
    retry(1_901_000, { delayed: false }),
  ],
  [
    'a retry that is due when the line of the pace ends: a delayed message',
    failed({ after: { lineUntilMs: 1_005_000 } }),
    retry(1_005_000),
  ],
  [
    'a retry that is due before the line of the pace ends: no delayed message',
    failed({ after: { lineUntilMs: 1_005_001 } }),
    retry(1_005_000, { delayed: false }),
  ],
  [
    'a circuit that half-opens before the retry is due: the schedule counts',
    failed({ history: after(1), after: opened }),
    retry(1_300_000, { history: { tries: 2, attempts: [earlier, refused] as never } }),
  ],
])('%s', (_title, facts, expected) => {
  expect(decide(facts, circumstances)).toEqual(expected);
});

test('rule 23: random moves a retry', () => {
  expect(decide(failed(), { ...circumstances, random: () => 0 })).toEqual(retry(1_004_000));
});
