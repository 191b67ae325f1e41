import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { withDrain } from '../../../shared/callbacks/endpoint/circuit.ts';
import { dueIndex } from '../../../shared/callbacks/rows/due-index.ts';
import { NotAllSent, type Queue } from '../../../shared/platform/queues/queue.ts';
import { endpointKey } from '../../../shared/platform/table/row-keys/callbacks.ts';
import { putRow } from '../../../shared/platform/table/rows.ts';
import { minute, second } from '../../support/clock.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { rigWithPartner } from './callbacks-rig.ts';

const rig = inEachTest(rigWithPartner);
const waits = { waitsForCircuit: true } as const;
const runMs = 40 * second;

/** The queue of the rig, which refuses messages about these for good. */
function refusing(...messageIds: string[]): Queue {
  const send = async ({ input }: SendMessageBatchCommand) => {
    const entries = Map.groupBy(input.Entries ?? [], ({ MessageBody = '' }) =>
      messageIds.includes(JSON.parse(MessageBody).messageId),
    );
    const taken = entries.get(false) ?? [];
    await rig.queue.client.send(new SendMessageBatchCommand({ ...input, Entries: taken }));
    return { Failed: entries.get(true)?.map(({ Id }) => ({ Id, SenderFault: true })) };
  };
  return { ...rig.queue, client: { send } as unknown as Queue['client'] };
}

function sentIds(): string[] {
  return rig.sent().map(({ messageId }) => messageId);
}

test('a row whose message the queue refused stays due, and the others are sent once', async () => {
  await rig.keepMany(2);
  await expect(rig.newSweep({ queue: refusing('m0') })()).rejects.toThrow(NotAllSent);
  expect(sentIds()).toEqual(['m1']);
  rig.clock.advance(minute);
  await rig.sweep();
  expect(sentIds()).toEqual(['m0']);
});

test('a queue that refuses what is due holds up no probe', async () => {
  await rig.openCircuit();
  await rig.keepOne('deferred', waits);
  rig.clock.advance(31 * second);
  const queue = refusing('m1', 'm2', 'm3', 'm4', 'm5');
  await expect(rig.newSweep({ queue })()).rejects.toThrow(NotAllSent);
  expect(sentIds()).toEqual(['deferred']);
});

test('rule 24: of the deferred callbacks the one that waits longest is the probe', async () => {
  await rig.openCircuit();
  for (const n of [1, 3, 2]) await rig.keepOne(`w${n}`, { ...waits, dueAt: rig.clock.now() - n * second });
  rig.clock.advance(31 * second);
  await rig.sweep();
  expect(sentIds().filter((id) => id.startsWith('w'))).toEqual(['w3']);
});

test('a damaged circuit fails the run in the name of its partner, and holds up no other probe', async () => {
  await rig.openCircuit();
  const open = (await rig.circuit()) ?? {};
  await putRow(rig.table, { ...open, ...endpointKey('bakery', 'CIRCUIT'), failures: 'torn' });
  await rig.keepOne('deferred', waits);
  rig.clock.advance(31 * second);
  const lines = collectLines();
  await expect(rig.sweep()).rejects.toThrow();
  expect(lines).toMatchObject([{ outcome: 'failed', partnerId: 'bakery', damagedEndpoints: ['bakery'] }]);
  expect(sentIds()).toContain('deferred');
});

test('half of a run is for probes and drains, however much is due', async () => {
  await rig.openCircuit();
  await rig.keepOne('deferred', waits);
  rig.clock.advance(31 * second);
  const due = dueIndex(rig.table);
  const upTo: typeof due.upTo = async () => {
    rig.clock.advance(second);
    return { rows: [], next: { pk: 'more' } };
  };
  const lines = collectLines();
  await rig.newSweep({ due: { ...due, upTo } })();
  expect(lines).toMatchObject([{ probed: 1, shardsCut: 16 }]);
  expect(sentIds()).toEqual(['deferred']);
});

test('a run without time for what it read ends no drain', async () => {
  await rig.keepMany(1, waits);
  await rig.closeCircuit();
  rig.clock.advance(3 * minute);
  const due = dueIndex(rig.table);
  const deferredOf: typeof due.deferredOf = async (...args) => {
    const page = await due.deferredOf(...args);
    rig.clock.advance(runMs);
    return page;
  };
  await rig.newSweep({ due: { ...due, deferredOf } })();
  expect(sentIds()).toEqual([]);
  await rig.sweep();
  expect(sentIds()).toEqual(['m0']);
});

test('runs that do not reach every drain begin with different ones', async () => {
  const nowMs = rig.clock.now();
  for (let n = 0; n < 8; n++)
    await rig.endpoints.stepCircuit(`p${n}`, (seen) => withDrain(seen, nowMs), { nowMs });
  const due = dueIndex(rig.table);
  const reached = new Set<string>();
  for (const startAt of [minute, 2 * minute]) {
    rig.clock.set(nowMs + startAt);
    const deferredOf: typeof due.deferredOf = async (endpointId, ...args) => {
      reached.add(endpointId);
      rig.clock.set(nowMs + startAt + runMs);
      return due.deferredOf(endpointId, ...args);
    };
    await rig.newSweep({ due: { ...due, deferredOf } })();
  }
  // Four at once, and the second run began with the next one.
  expect(reached.size).toBe(5);
});

test('a due row that cannot be read is named, and holds up no other', async () => {
  await rig.keepMany(2);
  await putRow(rig.table, { pk: '', sk: '', ...(await rig.row('m0')), version: 'torn' });
  const lines = collectLines();
  await rig.sweep();
  expect(lines).toMatchObject([{ outcome: 'done', damagedRows: ['CALLBACKS#bars#4 m0#DELIVERED'], sent: 1 }]);
  expect(sentIds()).toEqual(['m1']);
});
