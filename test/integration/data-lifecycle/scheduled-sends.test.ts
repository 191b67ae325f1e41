import { expect, inject, test } from 'vitest';
import type { Terminal } from '../../../ops/cli/command-line.ts';
import { capacityMeter } from '../../../ops/data-lifecycle/capacity-meter.ts';
import { cleanInPlace } from '../../../ops/data-lifecycle/clean-in-place.ts';
import { runRestore } from '../../../ops/data-lifecycle/restore-program.ts';
import { restoreTable } from '../../../ops/data-lifecycle/restore-table.ts';
import { scheduledText } from '../../../ops/data-lifecycle/scheduled-sends.ts';
import { systemIds } from '../../../shared/platform/runtime/ids.ts';
import type { Table } from '../../../shared/platform/table/table.ts';
import { runCommand, stateFolder } from '../../support/command.ts';
import { eraseNumber } from '../../support/erase-number.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { copyTable } from '../../support/table.ts';
import { content, deliverFrom, from, numbers, pushRig, type Sent } from '../push/push-rig.ts';

const rig = inEachTest(() => pushRig(...numbers(2)));

const later = '2026-05-20T18:00:00Z';

function send(time: string): Promise<Sent[]> {
  return rig.sent.bulk(numbers(2), { ...content, qos: { deliverFrom: time } });
}

function single(): Promise<Sent> {
  return rig.sent.single(79_000_000_000, { ...content, qos: { deliverFrom } });
}

function meter(table: Parameters<typeof capacityMeter>[0]) {
  return capacityMeter(table, Number.MAX_SAFE_INTEGER);
}

async function releaseAt(atMs: number): Promise<string[]> {
  rig.clock.set(atMs);
  await rig.endPassed();
  return rig.handedOver();
}

async function loseSends(): Promise<void> {
  for (const row of await rig.table.rows())
    if (/^(BULK|MSG|DEADLINE|STATES)#/.test(String(row['pk']))) await rig.remove(row);
}

test('rule 54: after a restore a send that was due before its end is CANCELLED, and a later one is released', async () => {
  const [due, planned, one] = [await send(deliverFrom), await send(later), await single()];
  const copy = await copyTable(rig.table, `${rig.table.name}-copy`);
  await releaseAt(from + 20_000);
  await loseSends();
  const now = () => from + 3_600_000;
  const tables = { copy, live: rig.table, meter: meter(rig.table) };
  const restoration = { scope: {}, write: true, now };
  const found = await restoreTable(tables, restoration);
  const listed = scheduledText(found.scheduled)?.split('\n').toSorted();
  expect(listed).toEqual(
    [
      '3 scheduled sends that may have been released or taken back since:',
      `  ${due[0]?.messageId.slice(0, -4)} of bars, for 2026-05-20T12:10:00.000Z`,
      `  ${one.messageId} of bars, for 2026-05-20T12:10:00.000Z`,
      `  ${planned[0]?.messageId.slice(0, -4)} of bars, for 2026-05-20T18:00:00.000Z`,
    ].toSorted(),
  );
  // Without the rows that say when they are due, nothing happens to them.
  expect(scheduledText(found.scheduled, false)).toMatch(/Restore --kind deadline, too/);
  expect(await releaseAt(now() + 60_000)).toEqual([]);
  expect(await rig.reached(due[0], one, planned[0])).toEqual([
    'SCHEDULED,CANCELLED',
    'SCHEDULED,CANCELLED',
    'SCHEDULED',
  ]);
  expect(await releaseAt(Date.parse(later) + 20_000)).toHaveLength(2);
  expect(await rig.reached(planned[0])).toEqual(['SCHEDULED,ENQUEUED']);
});

test('rule 54: the end of a restore says with what time it was written, since a send may become due at the prompt', async () => {
  const [sent] = await send(deliverFrom);
  const copy = await copyTable(rig.table, `${rig.table.name}-copy`);
  const endIn = async (live: Table, ...options: string[]) => {
    rig.clock.set(from - 3_600_000);
    const response = async () => {
      rig.clock.advance(7_200_000);
      return live.name;
    };
    const words = [`--state=${stateFolder(live.name, inject('dynamodbEndpoint'))}`, ...options];
    const command = (terminal: Terminal) => runRestore(words, { terminal, clock: rig.clock, ids: systemIds });
    const { exit, out } = await runCommand(command, { response });
    return [exit, /(?<=due before )\S+/.exec(out)?.[0]];
  };
  await loseSends();
  expect(await endIn(rig.table, `--from=${copy.name}`)).toEqual([0, '2026-05-20T13:10:00.000Z']);
  expect(await endIn(copy, '--in-place')).toEqual([0, '2026-05-20T13:40:00.000Z']);
  expect(await releaseAt(Date.parse(later))).toEqual([]);
  expect(await rig.reached(sent)).toEqual(['SCHEDULED,CANCELLED']);
});

test('rule 54: a restore does not undo a release or a cancellation that the live rows have', async () => {
  const [released, cancelled, beingCancelled] = [
    await send(deliverFrom),
    await send(later),
    await send(later),
  ];
  const copy = await copyTable(rig.table, `${rig.table.name}-copy`);
  expect(await releaseAt(from + 20_000)).toHaveLength(2);
  await rig.cancel(cancelled[0], 'send');
  await rig.work();
  await rig.cancel(beingCancelled[0], 'send');
  const tables = { copy, live: rig.table, meter: meter(rig.table) };
  const restoration = { scope: {}, write: true, now: rig.clock.now };
  for (const _again of [1, 2]) await restoreTable(tables, restoration);
  await rig.work();
  rig.clock.set(Date.parse(later) + 60_000);
  await rig.endPassed();
  expect(new Set((await rig.heads()).map(({ releasedAt }) => releasedAt))).toEqual(
    new Set([from + 20_000, undefined]),
  );
  expect(await rig.reached(released[0], cancelled[0], beingCancelled[0])).toEqual([
    'SCHEDULED,ENQUEUED',
    'SCHEDULED,CANCELLED',
    'SCHEDULED,CANCELLED',
  ]);
});

test('rule 54: in a restored table that is served itself nothing is released that was due until half an hour later', async () => {
  const [due, soon, planned] = [
    await send(deliverFrom),
    await send('2026-05-20T12:50:00Z'),
    await send(later),
  ];
  await rig.cancel((await send(later))[0], 'send');
  await rig.work();
  rig.clock.set(from + 900_000);
  const found = await cleanInPlace(rig.table, meter(rig.table), { write: true, nowMs: rig.clock.now() });
  expect(found.scheduled).toHaveLength(3);
  await rig.createPartner();
  expect(await releaseAt(from + 3_600_000)).toEqual([]);
  expect(await rig.reached(due[0], soon[0], planned[0])).toEqual([
    'SCHEDULED,CANCELLED',
    'SCHEDULED,CANCELLED',
    'SCHEDULED',
  ]);
  expect(await releaseAt(Date.parse(later) + 20_000)).toHaveLength(2);
});

test('rule 54: a recipient that is erased gets no message that was scheduled for it', async () => {
  const [sent, one] = [await send(deliverFrom), await single()];
  await eraseNumber(rig.table, 79_000_000_000);
  expect(await releaseAt(from + 20_000)).toEqual([sent[1]?.messageId]);
  expect(await rig.history(one)).toMatchObject({ status: 404 });
  expect(await rig.dueRows()).toEqual([]);
});

test('rule 54: the time of a cancellation of an erased recipient is erased too', async () => {
  const sent = await send(deliverFrom);
  await rig.cancel(sent[1], 'message');
  await eraseNumber(rig.table, 79_000_000_001);
  const states = await rig.table.rows('STATES#');
  expect(states.flatMap((row) => Object.keys(row).filter((name) => /^[doce]\d/.test(name)))).toEqual([]);
});
