import type { SQSRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import { rowMessage } from '../../../shared/callbacks/callback-message.ts';
import { takeSpan } from '../../../shared/callbacks/endpoint/pace-store.ts';
import { CallbackRow } from '../../../shared/callbacks/rows/callback-store.ts';
import { epochSeconds } from '../../../shared/platform/runtime/clock.ts';
import { hour, minute, noon, second } from '../../support/clock.ts';
import { collectLines } from '../../support/log-lines.ts';
import { ok } from './callbacks-rig.ts';
import { busy, failed, ids, pacedRig } from './pace-rig.ts';

test('rule 44: retries keep the pace, and those of a batch share a write for it', async () => {
  const rig = await pacedRig(10);
  rig.answerWith(() => failed);
  await rig.callBack(rig.paced(), ids(4));
  rig.answerWith(() => ok);
  rig.clock.set(noon + 600_000);
  const Records = rig.records();
  rig.table.units();
  expect(await rig.slotsOf({ Records })).toEqual([600_000, 600_100, 600_200, 600_300]);
  expect(rig.times()).toHaveLength(8);
  // Each row's claim and end take seven units, as its index entries move; the circuit and the slots take one each.
  expect(rig.table.units()).toMatchObject({ write: 30 });
});

test('behind an open circuit nothing asks for a slot: it is deferred, and comes forward at the pace', async () => {
  const rig = await pacedRig(10);
  rig.answerWith(() => busy);
  const worker = rig.paced();
  await rig.callBack(worker, ['m1']);
  rig.queue.delays.splice(0);
  const { slotsUntil } = await rig.pace();
  await rig.callBack(worker, ids(3, 'd'));
  expect(await rig.row('d000')).toMatchObject({ status: 'waiting', waitsForCircuit: true, tries: 0 });
  expect(await rig.pace()).toMatchObject({ slotsUntil });
  rig.answerWith(() => ok);
  await rig.closeCircuit();
  rig.records();
  await rig.sweep();
  // One of the four slots is for the retry of the first callback.
  const Records = rig.records();
  expect(await rig.slotsOf({ Records })).toEqual([10_000, 10_100, 10_200, 10_300]);
  expect(rig.times()).toHaveLength(5);
});

test('the probe of a circuit does not wait behind the line', async () => {
  const rig = await pacedRig(1);
  await rig.callBack(rig.paced(), ids(2, 'a'), ids(40, 'b'), ids(40, 'c'));
  const open = { failures: 5, openings: 1, failingSince: noon, openedAt: noon, openUntil: noon + 9_000 };
  await rig.setCircuit(open);
  rig.records();
  rig.clock.set(noon + 10_000);
  await rig.callBack(rig.paced(), ['probe']);
  expect(rig.attempts.at(-1)).toMatchObject({ messageId: 'probe', atMs: 10_000 });
});

test.each([
  { to: 100, times: Array.from({ length: 40 }, (_, n) => 5_000 + 10 * n) },
  { to: undefined, times: Array(40).fill(5_000) },
])(
  'rule 44: a change of the pace ends the line, and what waits takes slots of the new one: $to',
  async ({ to, times }) => {
    const rig = await pacedRig(1);
    await rig.callBack(rig.paced(), ids(2, 'a'), ids(40, 'b'));
    const Records = rig.records();
    await rig.setPace(to);
    rig.clock.set(noon + 5_000);
    await rig.paced()({ Records });
    expect(rig.times().slice(2)).toEqual(times);
  },
);

test('a worker that does not know the new pace yet makes no line that others have to wait in', async () => {
  const rig = await pacedRig(1);
  const knowsOldPace = rig.paced();
  await rig.callBack(knowsOldPace, ids(2, 'a'));
  await rig.setPace(100);
  await rig.callBack(knowsOldPace, ...Array(9).fill(ids(40, 'b')));
  const Records = rig.records();
  rig.clock.set(noon + 6_000);
  rig.attempts.splice(0);
  await rig.callBack(rig.paced(), ['newcomer']);
  expect(rig.attempts).toMatchObject([{ messageId: 'newcomer', atMs: 6_000 }]);
  // The line starts again with the first message that has to wait at the new pace.
  await rig.paced()({ Records });
  const waits = rig.waiting().map((message) => message.waits);
  expect(new Set(waits.map((place) => place?.perSecond))).toEqual(new Set([100]));
  expect(waits.map((place) => (place?.until ?? 0) - noon)).toEqual([
    7_010, 7_010, 7_410, 7_810, 8_210, 8_610, 9_010,
  ]);
});

test('what waits for an endpoint that is disabled meanwhile is skipped, also what has its place in hours', async () => {
  const rig = await pacedRig(1);
  await rig.callBack(rig.paced(), ids(2, 'a'), ['soon'], ...Array(9).fill(ids(40, 'b')), ['last']);
  const Records = rig.records().filter(({ body }) => /soon|last/.test(body));
  await rig.saveEndpoint('https://bars.example/status', { maxPerSecond: 1, status: 'disabled' });
  rig.clock.set(noon + 5_000);
  await rig.paced()({ Records });
  expect(rig.times()).toHaveLength(2);
  for (const id of ['soon', 'last']) expect(await rig.row(id)).toMatchObject({ status: 'skipped', tries: 0 });
  expect(rig.waiting()).toEqual([]);
});

test('rule 44: what the slow lane gets asks for its slot there', async () => {
  const rig = await pacedRig(10);
  const slow = { isSlow: () => true, isKnownSlow: () => true, learn: () => {} };
  await rig.callBack(rig.paced({ responseTimes: slow }), ids(2));
  expect(await rig.pace()).toEqual({ slotsUntil: 0, lineUntil: 0 });
  await rig.paced({ lane: { name: 'slow' } })({ Records: rig.slowRecords() });
  expect(rig.times()).toEqual([0, 100]);
});

/** Makes the line of an endpoint with a pace of 1 so long that the next message would return after this time. */
async function fillLine(rig: Awaited<ReturnType<typeof pacedRig>>, spanMs: number) {
  const set = { linePerSecond: 1, expiresAt: epochSeconds(noon + hour) };
  const ofLine = { of: 'lineUntil', from: noon, spanMs, set } as const;
  await takeSpan(rig.table, { endpointId: 'bars', seen: await rig.pace(), ...ofLine });
}

test('rule 44: beyond an hour of line, callbacks wait in rows, and come forward by half a minute of the pace at a time', async () => {
  const rig = await pacedRig(1);
  await fillLine(rig, hour);
  const lines = collectLines();
  const worker = rig.paced();
  await rig.callBack(worker, ids(40, 'a'), ids(40, 'b'));
  expect(lines.flatMap(({ result }) => result ?? [])).toEqual(Array(80).fill('deferred'));
  expect(rig.records()).toEqual([]);
  expect(rig.attempts).toEqual([]);
  expect(await rig.deferred()).toHaveLength(80);
  await rig.sweep();
  // Four from each of the eight buckets.
  const Records = rig.records();
  expect(Records).toHaveLength(32);
  // For rows the line has a minute more than for new callbacks.
  await worker({ Records });
  expect(await rig.deferred()).toHaveLength(48);
  expect((await rig.pace()).lineUntil - noon).toBe(hour + 32 * second);
  await rig.sweep();
  expect(await rig.deferred()).toHaveLength(48);
  await fillLine(rig, 28 * second);
  const [row] = await rig.deferred();
  await rig.paced()({
    Records: [{ ...Records[0], body: rowMessage(CallbackRow.parse(row)) }] as SQSRecord[],
  });
  expect(await rig.deferred()).toHaveLength(48);
  expect(rig.queue.delays).toHaveLength(32);
});

test('rule 44: when the pace is lowered, the line is an hour of the new one, and rows keep since when they waited', async () => {
  const rig = await pacedRig(100);
  await rig.callBack(rig.paced(), ids(100, 'a'), ids(40, 'b'), ids(40, 'c'));
  const Records = rig.records();
  await rig.setPace(1);
  await fillLine(rig, hour + 6 * second);
  rig.clock.set(noon + 6 * second);
  await rig.paced()({ Records });
  // Two callbacks of a message got slots, and its others come when these are over.
  expect(rig.waiting().map(({ callbacks }) => callbacks.length)).toEqual([38]);
  expect((await rig.deferred()).map(({ dueAt }) => dueAt)).toEqual(Array(40).fill(noon));
});

const event = { kind: 'endpoint.changed', atMs: noon + minute, data: { what: 'changed' } } as const;

test.each<[string, (rig: Awaited<ReturnType<typeof pacedRig>>) => Promise<unknown>]>([
  [
    'disabled',
    (rig) => rig.saveEndpoint('https://bars.example/status', { status: 'disabled', maxPerSecond: 1 }),
  ],
  ['without a pace', (rig) => rig.setPace(undefined)],
  ['deleted', (rig) => rig.endpoints.delete('bars', event)],
])(
  'a line whose messages are gone is over when its endpoint, which was %s, is as before',
  async (_what, lose) => {
    const rig = await pacedRig(1);
    const { endpoint } = await rig.endpoints.view('bars');
    if (!endpoint) throw new Error('the rig has an endpoint');
    await fillLine(rig, hour);
    await lose(rig);
    rig.clock.set(event.atMs);
    await rig.endpoints.change('bars', () => ({ endpoint, event }));
    await rig.callBack(rig.paced(), ['m1']);
    expect(rig.times()).toEqual([minute]);
  },
);
