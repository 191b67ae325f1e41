import { expect, test } from 'vitest';
import { healthy } from '../../../shared/callbacks/endpoint/circuit.ts';
import type { Endpoint } from '../../../shared/callbacks/endpoint/endpoint.ts';
import { endpointHealth } from '../../../shared/callbacks/endpoint/health.ts';
import { endpointViews } from '../../../shared/callbacks/endpoint/views.ts';
import type { Progress } from '../../../shared/callbacks/rows/callback-store.ts';
import { hour, minute, noon, second } from '../../support/clock.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
import { collectLines } from '../../support/log-lines.ts';
import { callbacksRig, rigWithPartner } from './callbacks-rig.ts';
import { loopbackPartner, reply } from './loopback-partner.ts';

type Rig = Awaited<ReturnType<typeof rigWithPartner>>;

/** Opens the circuit of bars for 30 s by five refusals in a row. */
async function openCircuit({ partner, change, work, records }: Rig) {
  partner.responses(reply(500));
  for (let n = 1; n <= 5; n++) await change(`m${n}`);
  await work();
  await records(); // discards the delayed messages
}

async function keepMany(
  { callbacks, clock }: Pick<Rig, 'callbacks' | 'clock'>,
  partnerId: string,
  { count, ...when }: { count: number; dueAt: number; waitsForCircuit?: true },
) {
  const waiting: Progress = { status: 'waiting', tries: 1, attempts: [], ...when };
  const create = (n: number) => {
    const ref = { partnerId, messageId: `m${n}`, state: 'DELIVERED', msisdn: 79001234567 } as const;
    return callbacks.create({ ...ref, changedAt: 1 }, waiting, clock.now());
  };
  // The client has 50 sockets, so more calls at a time would only queue.
  for (let from = 0; from < count; from += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - from) }, (_, n) => create(from + n)));
}

test('a failure counts once when the SDK repeats its write, because the response was lost', async () => {
  const rig = await rigWithPartner();
  rig.partner.responses(reply(500));
  const end = interceptCalls(rig.table.client, async ({ name }, make) => {
    if (name === 'PutItemCommand') await make();
    return make();
  });
  await rig.change('m1');
  await rig.work();
  expect(await rig.circuit()).toMatchObject({ failures: 1 });
  end();
});

test('a worker whose write of the circuit failed reads it before its next attempt', async () => {
  const rig = await rigWithPartner();
  rig.partner.responses(reply(500));
  const end = interceptCalls(rig.table.client, async ({ name }, make) => {
    if (name === 'PutItemCommand') throw new Error('the table is away');
    return make();
  });
  await rig.change('m1');
  expect(await rig.work()).toMatchObject({ failed: 1 });
  end();
  const open = { failures: 5, openings: 1, failingSince: noon, openedAt: noon, openUntil: noon + 30_000 };
  await rig.endpoints.stepCircuit('bars', () => open, { nowMs: noon });
  await rig.change('m2');
  await rig.work();
  expect(rig.partner.states()).toEqual(['m1 DELIVERED']);
  expect(await rig.row('m2')).toMatchObject({ waitsForCircuit: true });
});

test('an attempt that begins while the circuit opens is deferred when the table has it open, not before', async () => {
  const rig = await rigWithPartner();
  const opening = Promise.withResolvers<never>();
  const begun = Promise.withResolvers<void>();
  const health = endpointHealth({
    clock: rig.clock,
    views: endpointViews(rig),
    retrySpeed: 1,
    endpoints: {
      ...rig.endpoints,
      stepCircuit: async (...step) => {
        const { openUntil } = step[1]((await rig.endpoints.view('bars')).circuit);
        if (openUntil === undefined) return rig.endpoints.stepCircuit(...step);
        begun.resolve();
        return opening.promise;
      },
    },
  });
  const refused = { ok: false, error: 'status', httpStatus: 500, durationMs: 1 } as const;
  const fail = async () => {
    const admission = await health.admit('bars');
    if (admission.kind === 'admitted') await health.attemptFailed(admission, refused);
  };
  for (let n = 1; n <= 4; n++) await fail();
  const fifth = fail();
  await begun.promise;
  const next = health.admit('bars');
  // The fifth failure is never written, so nothing would bring forward what is deferred now.
  opening.reject(new Error('the table does not answer'));
  await expect(fifth).rejects.toThrow('the table does not answer');
  expect(await next).toMatchObject({ kind: 'admitted' });
});

test('rule 24: after five failures in a row nobody calls the endpoint: callbacks and retries wait in rows, and no attempt is counted', async () => {
  const rig = await rigWithPartner();
  await openCircuit(rig);
  const openUntil = rig.clock.now() + 30 * second;
  expect(await rig.circuit()).toMatchObject({ openings: 1, openUntil });
  // Rows written before the fifth failure keep their own time, and find the circuit open at that time.
  expect(
    (await rig.table.rows()).filter(({ dueAt, tries }) => tries === 1 && dueAt === openUntil),
  ).not.toEqual([]);
  await rig.change('late');
  expect(await rig.work()).toEqual({ taken: 1, failed: 0 });
  const waits = { status: 'waiting', tries: 0, attempts: [], waitsForCircuit: true, dueAt: rig.clock.now() };
  expect(await rig.row('late')).toMatchObject(waits);
  rig.clock.advance(6 * second);
  await rig.sweep();
  await rig.work();
  expect(rig.partner.received).toHaveLength(5);
});

test('rule 24: when the time is over exactly one probe goes out, whoever races', async () => {
  const rig = await rigWithPartner();
  await openCircuit(rig);
  rig.clock.advance(31 * second);
  for (let n = 1; n <= 6; n++) await rig.change(`late${n}`);
  const messages = await rig.records();
  await Promise.all(messages.map((record) => rig.newWorker()({ Records: [record] })));
  expect(rig.partner.received).toHaveLength(6);
  expect(await rig.circuit()).toMatchObject({ openings: 2, openUntil: rig.clock.now() + minute });
  const tries = (await rig.table.rows())
    .filter(({ sk }) => String(sk).startsWith('late'))
    .map((row) => row['tries']);
  expect(tries.sort()).toEqual([0, 0, 0, 0, 0, 1]);
});

test('rule 24: a probe that succeeds closes the circuit, and the whole backlog is delivered within two minutes', async () => {
  const rig = await rigWithPartner();
  await openCircuit(rig);
  for (let n = 1; n <= 30; n++) await rig.change(`late${n}`);
  await rig.work();
  rig.clock.advance(31 * second);
  rig.partner.responses(reply(200));
  await rig.change('probe');
  await rig.work();
  expect(await rig.circuit()).toMatchObject({ failures: 0, closedAt: rig.clock.now() });
  rig.clock.advance(10 * second);
  await rig.sweep();
  await rig.sweep();
  await rig.work();
  const left = (await rig.table.rows()).filter(
    ({ messageId, status }) => messageId && status !== 'delivered',
  );
  expect(left).toEqual([]);
  expect(rig.partner.received).toHaveLength(5 + 1 + 35);
  expect(await rig.circuit()).toMatchObject({ failures: 0, closedAt: rig.clock.now() - 10 * second });
  rig.clock.advance(minute);
  await rig.sweep();
  expect(await rig.circuit()).toBeUndefined();
});

test('to an endpoint with a pace, a backlog comes forward in steps: a run brings what it takes until the next', async () => {
  const { callbacks, clock, table, sweep, closeCircuit, circuit, saveEndpoint } = await callbacksRig();
  await saveEndpoint('https://bars.example/status', { maxPerSecond: 1 });
  await keepMany({ callbacks, clock }, 'bars', { count: 200, dueAt: clock.now(), waitsForCircuit: true });
  await closeCircuit();
  const later = async () => (await table.rows()).filter(({ waitsForCircuit }) => waitsForCircuit).length;
  // For 10 s after it closed, an instance may still see the circuit open, and would defer them again.
  clock.advance(-1);
  await sweep();
  expect(await later()).toBe(200);
  clock.advance(minute);
  const steps: number[] = [];
  for (let run = 0; run < 2; run++) {
    await sweep();
    steps.push(await later());
  }
  // Each run brings forward ten callbacks from each of eight buckets, of which one has only 19.
  expect(steps).toEqual([120, 41]);
  expect(await circuit()).toMatchObject({ closedAt: expect.any(Number) });
  for (let run = 0; run < 3; run++) await sweep();
  expect(await later()).toBe(0);
  clock.advance(minute);
  await sweep();
  expect(await circuit()).toBeUndefined();
});

test('a drain leaves what waits for its own time alone', async () => {
  const { callbacks, clock, table, sweep, closeCircuit } = await callbacksRig();
  const dueAt = clock.now() + hour;
  await keepMany({ callbacks, clock }, 'bars', { count: 20, dueAt });
  await closeCircuit();
  await sweep();
  const rows = (await table.rows()).filter(({ messageId }) => messageId);
  expect(rows.map((row) => [row['dueAt'], row['tries'], row['version']])).toEqual(
    Array.from({ length: 20 }, () => [dueAt, 1, 1]),
  );
});

test('rule 24: a drain leaves alone what is under attempt, also when the worker was faster than the mark of the sweep', async () => {
  const { callbacks, clock, sweep, records, closeCircuit } = await callbacksRig();
  await keepMany({ callbacks, clock }, 'bars', { count: 1, dueAt: clock.now(), waitsForCircuit: true });
  await closeCircuit();
  const ref = { partnerId: 'bars', messageId: 'm0', state: 'DELIVERED' } as const;
  await callbacks.claim(ref, 1, { by: 'a worker', nowMs: clock.now(), forMs: 90 * second });
  await sweep();
  expect(await records()).toEqual([]);
});

test('what a worker defers that still saw the circuit open comes forward too', async () => {
  const { callbacks, clock, sweep, row, closeCircuit, circuit } = await callbacksRig();
  await closeCircuit();
  await sweep();
  clock.advance(50 * second);
  await keepMany({ callbacks, clock }, 'bars', { count: 1, dueAt: clock.now(), waitsForCircuit: true });
  clock.advance(10 * second);
  await sweep();
  expect(await row('m0')).toMatchObject({ queuedAt: clock.now() });
  expect(await circuit()).toBeUndefined();
});

test('the callbacks of a dead partner lie under eight keys, in eight shards of the index', async () => {
  const { callbacks, clock, table } = await callbacksRig();
  const dueAt = clock.now() + hour;
  await keepMany({ callbacks, clock }, 'bars', { count: 400, dueAt });
  const rows = (await table.rows()).filter(({ messageId }) => messageId);
  const places = Map.groupBy(rows, ({ pk, dueShard }) => `${pk} ${dueShard}`);
  const keys = [0, 1, 2, 3, 4, 5, 6, 7].map((bucket) => `CALLBACKS#bars#${bucket} DUE#${bucket}`);
  expect([...places.keys()].sort()).toEqual(keys);
  for (const rows of places.values()) expect(rows.length).toBeGreaterThan(25);
});

test('rule 24: a backlog that waits for a dead partner costs the others nothing: what is due for another goes out at once', async () => {
  const { callbacks, clock, table, sweep, records, endpoints, saveEndpoint } = await callbacksRig();
  const lines = collectLines();
  await saveEndpoint('https://bars.example/callbacks');
  const now = clock.now();
  await endpoints.stepCircuit(
    'bars',
    () => ({ failures: 5, openings: 1, failingSince: now, openUntil: now }),
    { nowMs: now },
  );
  await keepMany({ callbacks, clock }, 'bars', { count: 1_200, dueAt: now - hour, waitsForCircuit: true });
  await keepMany({ callbacks, clock }, 'bakery', { count: 10, dueAt: now - minute });
  table.units();
  await sweep();
  const sent = (await records()).map(({ body }) => JSON.parse(body).partnerId);
  expect(sent.sort()).toEqual([...Array(10).fill('bakery'), 'bars']);
  expect(lines.at(-1)).toMatchObject({ sent: 11, probed: 1, OldestDueSeconds: 60 });
  // The run reads one page of one entry from each bucket of the 1,200, and writes 22 marks for what was sent, and a
  // heartbeat. Twelve reads look for passed deadlines.
  expect(table.units()).toMatchObject({ read: 27.5, calls: 62 });
});

test('every minute a line names the partners whose circuit is open, until it closes or nobody has probed it for half an hour', async () => {
  const rig = await rigWithPartner();
  const lines = collectLines();
  const nowMs = rig.clock.now();
  const sweptLine = async () => {
    await rig.sweep();
    const { unreachablePartners, CircuitsOpen, OldestDueSeconds } = lines.at(-1) ?? {};
    return [(unreachablePartners as string[]).sort(), CircuitsOpen, OldestDueSeconds];
  };
  await openCircuit(rig);
  const open = { failures: 5, openings: 1, failingSince: nowMs, openUntil: nowMs + 30 * second };
  await rig.endpoints.stepCircuit('bakery', () => open, { nowMs });
  expect(await sweptLine()).toEqual([['bakery', 'bars'], 2, 0]);
  await rig.endpoints.stepCircuit('bakery', () => healthy, { nowMs });
  rig.partner.responses(reply(200));
  rig.clock.advance(31 * second);
  expect(await sweptLine()).toEqual([['bars'], 1, 26]);
  await rig.work();
  expect((await sweptLine()).slice(0, 2)).toEqual([[], undefined]);
  await rig.endpoints.stepCircuit('bars', () => open, { nowMs });
  rig.clock.set(nowMs + 30 * second + 30 * minute - 1);
  expect((await sweptLine()).slice(0, 2)).toEqual([['bars'], 1]);
  rig.clock.advance(1);
  expect((await sweptLine()).slice(0, 2)).toEqual([[], undefined]);
});

test('rule 23: 410 disables the endpoint at once: its callbacks are kept and no more are attempted', async () => {
  const rig = await rigWithPartner();
  const lines = collectLines();
  rig.partner.responses(reply(410));
  await rig.change('m1');
  await rig.work();
  await rig.change('m2');
  await rig.work(rig.newWorker());
  expect(rig.partner.received).toHaveLength(1);
  const reason = 'answered 410';
  const disabled = lines.filter(({ EndpointsDisabled }) => EndpointsDisabled === 1);
  expect(disabled).toMatchObject([{ partnerId: 'bars', reason }]);
  expect(await rig.row('m1')).toMatchObject({ status: 'skipped', reason, attempts: [{ httpStatus: 410 }] });
  expect(await rig.row('m2')).toMatchObject({ status: 'skipped', reason: 'disabled', attempts: [] });
  expect((await rig.endpoints.view('bars')).endpoint).toMatchObject({
    status: 'disabled',
    disabledReason: 'answered 410',
    // A millisecond after the step of the circuit, so that the events are in order.
    disabledAt: rig.clock.now() + 1,
  });
});

test('an endpoint that is enabled again is called at once, also by a worker that knew it as disabled', async () => {
  const rig = await rigWithPartner();
  rig.partner.responses(reply(410));
  await rig.change('m1');
  await rig.work();
  await rig.change('m2');
  await rig.work();
  expect(rig.partner.received).toHaveLength(1);
  rig.partner.responses(reply(200));
  await rig.settings.enable('bars', 'bars');
  await rig.change('m3');
  await rig.work();
  expect(rig.partner.received).toHaveLength(2);
});

test('rule 35: answers that ask for a pause at once open the circuit once, until the latest of them ends', async () => {
  const rig = await rigWithPartner();
  // The partner responds when all have asked, so that no worker begins after the circuit has opened.
  const held: (() => void)[] = [];
  rig.partner.responses((response, { body }) => {
    held.push(() => response.writeHead(429, { 'retry-after': body.includes('m3') ? '600' : '60' }).end());
    if (held.length === 8) for (const respond of held) respond();
  });
  const until = rig.clock.now() + 10 * minute;
  for (let n = 1; n <= 8; n++) await rig.change(`m${n}`);
  const messages = await rig.records();
  await Promise.all(messages.map((record) => rig.newWorker()({ Records: [record] })));
  expect(rig.partner.received).toHaveLength(8);
  expect(await rig.circuit()).toMatchObject({ openings: 1, openUntil: until });
  await rig.change('late');
  await rig.work(rig.newWorker());
  expect(rig.partner.received).toHaveLength(8);
  expect(await rig.row('late')).toMatchObject({ tries: 0, waitsForCircuit: true });
});

test('rule 24: a success that its worker did not write, because it saw the endpoint as healthy, ends the row of failures too', async () => {
  const rig = await rigWithPartner();
  const other = rig.newWorker();
  const callBack = async (status: number, messageId: string, worker = other) => {
    rig.partner.responses(reply(status));
    await rig.change(messageId);
    await rig.work(worker);
    await rig.records();
    rig.clock.advance(1);
  };
  await callBack(200, 'seen as healthy');
  for (const n of [1, 2, 3, 4]) await callBack(500, `m${n}`, rig.worker);
  await callBack(200, 'not written');
  await callBack(500, 'first of the next row');
  expect(await rig.circuit()).toMatchObject({ failures: 1 });
});

test('an endpoint that is disabled behind its open circuit: what that deferred is skipped', async () => {
  const rig = await rigWithPartner();
  await openCircuit(rig);
  await rig.change('late');
  await rig.work();
  await rig.settings.disable('bars', { reason: 'by bars', by: 'bars' });
  rig.clock.advance(31 * second);
  await rig.sweep();
  rig.clock.advance(10 * second);
  await rig.sweep();
  await rig.work();
  expect(await rig.row('late')).toMatchObject({ status: 'skipped' });
  rig.clock.advance(minute);
  await rig.sweep();
  expect(await rig.circuit()).toBeUndefined();
});

test('a new address closes the circuit, and what that deferred goes there', async () => {
  const rig = await rigWithPartner();
  const other = await loopbackPartner();
  await openCircuit(rig);
  await rig.change('late');
  await rig.work();
  await rig.endpoints.change('bars', (seen) => ({
    endpoint: { ...(seen as Endpoint), url: other.url },
    event: { kind: 'endpoint.changed', atMs: rig.clock.now() },
  }));
  rig.clock.advance(10 * second);
  await rig.sweep();
  await rig.work();
  expect(other.states()).toContain('late DELIVERED');
});

test.each([{ httpStatus: 410 }, { httpStatus: 503, retryAfter: '900' }])(
  'a late $httpStatus of an address that was replaced meanwhile does nothing to the new one',
  async (status) => {
    const rig = await rigWithPartner();
    await rig.change('m1');
    const client = {
      post: async () => {
        await rig.saveEndpoint('https://new.partner.example/status');
        return { ok: false, error: 'status', ...status, durationMs: 1 } as const;
      },
    };
    await rig.work(rig.newWorker({ client }));
    const { endpoint, circuit } = await rig.endpoints.view('bars');
    expect(endpoint).toMatchObject({ status: 'enabled' });
    expect(circuit).toEqual({ failures: 0, openings: 0 });
    expect(await rig.row('m1')).toMatchObject({ status: 'waiting' });
  },
);
