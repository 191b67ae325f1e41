import { describe, expect, test } from 'vitest';
import type { Exchange } from './actors/exchanges.ts';
import type { Lift } from './actors/partners.ts';
import { begunIn, failureRests, goneRests, pauseRests } from './endpoint-rests.ts';

const results = {
  ok: { ok: true, httpStatus: 200, durationMs: 1 },
  fails: { ok: false, error: 'status', httpStatus: 500, durationMs: 1 },
  hangs: { ok: false, error: 'timeout', durationMs: 1 },
  gone: { ok: false, error: 'status', httpStatus: 410, durationMs: 1 },
  busy: { ok: false, error: 'status', httpStatus: 429, retryAfter: '100', durationMs: 1 },
} as const;

/** `10-11 fails` is an attempt from second 10 to second 11 that fails. */
function exchangesOf(history: string): Exchange[] {
  return Array.from(history.matchAll(/(\d+)-(\d+) (\w+)/g), ([, from, to, how]) => ({
    partnerId: 'bars',
    webhookId: `m${from}`,
    startedAt: Number(from) * 1_000,
    endedAt: Number(to) * 1_000,
    result: results[how as keyof typeof results],
  }));
}

const fiveFailures = '10-11 fails, 12-13 fails, 14-15 fails, 16-17 fails, 18-19 fails';

function begun(history: string, lifts: readonly Lift[] = []): string[] {
  const exchanges = exchangesOf(history);
  const rests = [
    ...pauseRests(exchanges, lifts),
    ...failureRests(exchanges, lifts),
    ...goneRests(exchanges, lifts),
  ];
  return begunIn(rests, exchanges).map((text) => text.split(' ')[0] as string);
}

describe('an attempt may not begin', () => {
  test.each([
    ['behind a circuit that five failures have opened', `${fiveFailures}, 30-31 ok`, ['m30']],
    [
      'behind one that five have opened, however far apart',
      '1-2 fails, 400-401 hangs, 800-801 fails, 1200-1201 hangs, 1600-1601 fails, 1611-1612 ok',
      ['m1611'],
    ],
    ['beside the probe', `${fiveFailures}, 50-60 fails, 55-56 ok`, ['m55']],
    ['in the minute after a probe that failed', `${fiveFailures}, 50-51 fails, 110-111 ok`, ['m110']],
    ['in a pause', '10-11 busy, 30-31 fails', ['m30', 'm30']],
    ['in a pause, though others succeed', '1-2 ok, 10-11 busy, 12-13 ok, 40-41 ok', ['m40']],
    ['after 410', '10-11 gone, 20000-20001 ok', ['m20000']],
  ])('%s', (_, history, wrong) => {
    expect(begun(history)).toEqual(wrong);
  });
});

describe('an attempt may begin', () => {
  test.each([
    ['until every worker knows of the opening', `${fiveFailures}, 27-28 fails`],
    ['as the probe', `${fiveFailures}, 50-51 ok, 51-52 ok`],
    [
      'after failures beside successes',
      '10-11 fails, 12-13 ok, 14-15 fails, 15-16 fails, 16-17 fails, 18-19 fails, 30-31 ok',
    ],
    ['when a pause is over', '10-11 busy, 112-113 ok'],
    ['a few seconds after 410', '10-11 gone, 18-19 ok'],
  ])('%s', (_, history) => {
    expect(begun(history)).toEqual([]);
  });

  test('when the endpoint has been enabled meanwhile', () => {
    const enabled = { from: 25_000, to: 26_000 };
    expect(begun(`${fiveFailures}, 30-31 ok`, [enabled])).toEqual([]);
    expect(begun('10-11 busy, 30-31 ok', [enabled])).toEqual([]);
    expect(begun('10-11 gone, 30-31 ok', [enabled])).toEqual([]);
  });
});

test('a pause that begins while the endpoint is enabled may be lifted, and one that begins later may not', () => {
  const enabled = { from: 10_500, to: 12_000 };
  expect(begun('10-11 busy, 40-41 ok', [enabled])).toEqual([]);
  expect(begun('12-13 busy, 40-41 ok', [enabled])).toEqual(['m40']);
});
