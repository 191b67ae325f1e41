import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Circuit, healthy } from '../../../shared/callbacks/endpoint/circuit.ts';
import type { PostedEndpoint } from '../../../shared/callbacks/endpoint/endpoint.ts';
import type { EndpointStore } from '../../../shared/callbacks/endpoint/endpoint-store.ts';
import { endpointHealth } from '../../../shared/callbacks/endpoint/health.ts';
import { endpointViews } from '../../../shared/callbacks/endpoint/views.ts';
import { fakeClock } from '../../support/clock.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const endpoint = {
  partnerId: 'bars',
  url: 'https://bars.example/status',
  signingSecrets: [],
  timeoutMs: 5_000,
  status: 'enabled',
} as unknown as PostedEndpoint;

/**
 * Instances that share one circuit, and report successes and failures of attempts that take no time. The endpoint was
 * enabled so long after their beginning. A write that opens the circuit waits for `opening`.
 */
function instancesOf(count: number, { enabledAfterMs = 0, opening = Promise.resolve() } = {}) {
  const clock = fakeClock();
  const enabled = { ...endpoint, enabledAt: clock.now() + enabledAfterMs };
  let circuit: Circuit = healthy;
  let openings = 0;
  let writes = 0;
  const endpoints = {
    view: async () => ({ endpoint: enabled, circuit, pace: { slotsUntil: 0, lineUntil: 0 } }),
    stepCircuit: async (_id: string, step: (seen: Circuit) => Circuit) => {
      const before = circuit;
      if (step(before).openings > before.openings) await opening;
      circuit = step(before);
      writes += Number(circuit !== before);
      if (circuit.openings > before.openings) openings += 1;
      return { before, after: circuit };
    },
  } as unknown as EndpointStore;
  const instances = Array.from({ length: count }, () => {
    const views = endpointViews({ endpoints, clock });
    return endpointHealth({ endpoints, views, clock, retrySpeed: 1 });
  });
  const reports = {
    admit: (n: number) => instances[n]?.admit('bars'),
    succeed: (n: number) => instances[n]?.attemptSucceeded('bars', { startedAt: clock.now(), probe: false }),
    fail: (n: number) =>
      instances[n]?.attemptFailed({
        ...{ endpoint, probe: false, startedAt: clock.now() },
        ...{ ok: false, error: 'status', httpStatus: 500, durationMs: 1 },
      }),
  };
  return { clock, ...reports, openings: () => openings, writes: () => writes, circuit: () => circuit };
}

test('rule 24: of one instance the fifth failure after a success opens the circuit, however soon it comes, and its line says so', async () => {
  const { clock, succeed, fail, openings } = instancesOf(1);
  await succeed(0);
  for (let n = 0; n < 4; n++) expect(await fail(0)).not.toHaveProperty('circuit');
  expect(openings()).toBe(0);
  clock.advance(1);
  expect(await fail(0)).toMatchObject({ circuit: 'opened' });
  expect(openings()).toBe(1);
});

test.each([
  [0, 1],
  [1, 0],
  [60_000, 0],
  // The clock of the operator who enabled it is ahead.
  [60_001, 1],
])(
  'rule 24: five failures of attempts that began %i ms before the endpoint was enabled open the circuit %i times',
  async (ms, times) => {
    const { fail, openings } = instancesOf(1, { enabledAfterMs: ms });
    for (let n = 0; n < 5; n++) await fail(0);
    expect(openings()).toBe(times);
  },
);

test('an attempt that begins while the circuit opens is deferred when the table has it open, not before', async () => {
  const opening = Promise.withResolvers<void>();
  const { fail, admit } = instancesOf(1, { opening: opening.promise });
  for (let n = 0; n < 4; n++) await fail(0);
  const fifth = fail(0);
  await setImmediate();
  const next = admit(0);
  // The fifth failure is never written, so nothing would bring forward what is deferred now.
  opening.reject(new Error('the table does not answer'));
  await expect(fifth).rejects.toThrow('the table does not answer');
  expect(await next).toMatchObject({ kind: 'admitted' });
});

test('rule 24: a failure that waited for the next one counts once, not when that comes 10 s later, and not if a success comes meanwhile', async () => {
  const { clock, succeed, fail, circuit } = instancesOf(1);
  const failTwice = async (afterMs: number) => {
    await succeed(0);
    await fail(0);
    clock.advance(afterMs);
  };
  await failTwice(1_000);
  await Promise.all([fail(0), fail(0), fail(0)]);
  expect(circuit()).toMatchObject({ failures: 4 });
  await failTwice(10_000);
  await fail(0);
  expect(circuit()).toMatchObject({ failures: 1, failingSince: clock.now() });
  await failTwice(1_000);
  await Promise.all([fail(0), succeed(0)]);
  await fail(0);
  await fail(0);
  expect(circuit()).toMatchObject({ failures: 3 });
});

test('rule 24: a tenth of a thousand a second that fails in 200 instances opens no circuit, and all that fail do soon', async () => {
  const { clock, succeed, fail, openings, writes } = instancesOf(200);
  const random = seededRandom(1);
  const anybody = () => Math.floor(random() * 200);
  for (let n = 0; n < 10_000; n++) {
    await (n % 10 === 9 ? fail : succeed)(anybody());
    clock.advance(1);
  }
  expect(openings()).toBe(0);
  // One row takes a thousand writes a second, and those who report wait for each other.
  expect(writes()).toBeLessThan(250);
  let failed = 0;
  for (; openings() === 0; failed++) {
    await fail(anybody());
    clock.advance(1);
  }
  expect(failed).toBeLessThan(500);
});

test('an instance that skips a thousand callbacks a second for lack of an endpoint reads four times whether that is still so', async () => {
  const clock = fakeClock();
  let reads = 0;
  const view = async (_id: string, { consistent = false } = {}) => {
    reads += Number(consistent);
    return { circuit: healthy };
  };
  const endpoints = { view } as unknown as EndpointStore;
  const views = endpointViews({ endpoints, clock });
  const { admit } = endpointHealth({ endpoints, views, clock, retrySpeed: 1 });
  for (let n = 0; n < 1_000; n++) {
    expect(await admit('bars')).toEqual({ kind: 'out of service', reason: 'no endpoint' });
    clock.advance(1);
  }
  expect(reads).toBe(4);
});
