import { expect, test } from 'vitest';
import { type Circuit, healthy } from '../../../shared/callbacks/endpoint/circuit.ts';
import { hour, minute, noon, second } from '../../support/clock.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { type Call, interceptCalls, justBefore } from '../../support/intercept-calls.ts';
import { collectLines } from '../../support/log-lines.ts';
import { rigWithPartner } from './callbacks-rig.ts';
import { reply } from './loopback-partner.ts';

const rig = inEachTest(rigWithPartner);

test('a failure counts once when the SDK repeats its write, because the response was lost', async () => {
  rig.partner.responses(reply(500));
  const end = interceptCalls(rig.table.client, async ({ name }, make) => {
    if (name === 'PutItemCommand') await make();
    return make();
  });
  await rig.changeAndWork('m1');
  expect(await rig.circuit()).toMatchObject({ failures: 1 });
  end();
});

test('a step counts on the circuit as it is, also if its row was deleted and made again meanwhile', async () => {
  const failing = (failures: number) => ({ ...healthy, failures, failingSince: noon });
  await rig.setCircuit(failing(1));
  const isPut = ({ name }: Call) => name === 'PutItemCommand';
  justBefore(rig.table.client, isPut, async () => {
    await rig.setCircuit(healthy);
    rig.clock.advance(1);
    await rig.setCircuit(failing(3));
  });
  const step = (circuit: Circuit) => failing(circuit.failures + 1);
  await rig.endpoints.stepCircuit('bars', step, { nowMs: rig.clock.now() });
  expect(await rig.circuit()).toMatchObject({ failures: 4 });
});

test('a worker whose write of the circuit failed reads it before its next attempt', async () => {
  rig.partner.responses(reply(500));
  const end = interceptCalls(rig.table.client, async ({ name }, make) => {
    if (name === 'PutItemCommand') throw new Error('the table is away');
    return make();
  });
  expect(await rig.changeAndWork('m1')).toMatchObject({ failed: 1 });
  end();
  const open = { failures: 5, openings: 1, failingSince: noon, openedAt: noon, openUntil: noon + 30_000 };
  await rig.setCircuit(open);
  await rig.changeAndWork('m2');
  expect(rig.partner.states()).toEqual(['m1 DELIVERED']);
  expect(await rig.row('m2')).toMatchObject({ waitsForCircuit: true });
});

test('rule 24: after five failures in a row nobody calls the endpoint: callbacks and retries wait in rows, and no attempt is counted', async () => {
  await rig.openCircuit();
  const openUntil = rig.clock.now() + 30 * second;
  expect(await rig.circuit()).toMatchObject({ openings: 1, openUntil });
  // Rows written before the fifth failure keep their own time, and find the circuit open at that time.
  expect(
    (await rig.table.rows()).filter(({ dueAt, tries }) => tries === 1 && dueAt === openUntil),
  ).not.toEqual([]);
  expect(await rig.changeAndWork('late')).toEqual({ taken: 1, failed: 0 });
  const waits = { status: 'waiting', tries: 0, attempts: [], waitsForCircuit: true, dueAt: rig.clock.now() };
  expect(await rig.row('late')).toMatchObject(waits);
  rig.clock.advance(6 * second);
  await rig.sweepAndWork();
  expect(rig.partner.received).toHaveLength(5);
});

test('rule 24: when the time is over exactly one probe goes out, whoever races', async () => {
  await rig.openCircuit();
  rig.clock.advance(31 * second);
  for (let n = 1; n <= 6; n++) await rig.change(`late${n}`);
  const messages = rig.records();
  await Promise.all(messages.map((record) => rig.newWorker()({ Records: [record] })));
  expect(rig.partner.received).toHaveLength(6);
  expect(await rig.circuit()).toMatchObject({ openings: 2, openUntil: rig.clock.now() + minute });
  const tries = (await rig.table.rows())
    .filter(({ sk }) => String(sk).startsWith('late'))
    .map((row) => row['tries']);
  expect(tries.sort()).toEqual([0, 0, 0, 0, 0, 1]);
});

test('rule 24: a backlog that waits for a dead partner costs the others nothing: what is due for another goes out at once', async () => {
  const lines = collectLines();
  const now = rig.clock.now();
  await rig.setCircuit({ failures: 5, openings: 1, failingSince: now, openUntil: now });
  await rig.keepMany(1_200, { dueAt: now - hour, waitsForCircuit: true });
  await rig.keepMany(10, { partnerId: 'bakery', dueAt: now - minute });
  rig.table.units();
  await rig.sweep();
  const sent = rig.sent().map(({ partnerId }) => partnerId);
  expect(sent.sort()).toEqual([...Array(10).fill('bakery'), 'bars']);
  expect(lines.at(-1)).toMatchObject({ sent: 11, probed: 1, OldestDueSeconds: 60 });
  // The run reads one page of one entry from each bucket of the 1,200, and writes 22 marks for what was sent, and a
  // heartbeat. Twelve reads look for passed deadlines.
  expect(rig.table.units()).toMatchObject({ read: 27.5, calls: 62 });
});

test('every minute a line names the partners whose circuit is open, until it closes or nobody has probed it for half an hour', async () => {
  const lines = collectLines();
  const openUntil = rig.clock.now() + 30 * second;
  const swept = async () => {
    await rig.sweep();
    const { unreachablePartners, CircuitsOpen } = lines.at(-1) ?? {};
    return [(unreachablePartners as string[]).sort(), CircuitsOpen];
  };
  for (const partnerId of ['bars', 'bakery'])
    await rig.setCircuit({ failures: 5, openings: 1, failingSince: noon, openUntil }, partnerId);
  expect(await swept()).toEqual([['bakery', 'bars'], 2]);
  await rig.setCircuit(healthy, 'bakery');
  rig.clock.set(openUntil + 30 * minute - 1);
  expect(await swept()).toEqual([['bars'], 1]);
  rig.clock.advance(1);
  expect(await swept()).toEqual([[], undefined]);
});
