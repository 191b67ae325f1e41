import { expect, test } from 'vitest';
import { collectLines } from '../../support/log-lines.ts';
import { callbacksRig } from '../callbacks/callbacks-rig.ts';

test('every minute, also if nothing is due, writes a line and one new row with the markers of both readers of the stream, for one unit', async () => {
  const rig = await callbacksRig();
  const lines = collectLines();
  rig.table.units();
  await rig.sweep();
  expect(rig.table.units().write).toBe(1);
  const nothing = { sent: 0, taken: 0, probed: 0, drained: 0, shardsCut: 0, oldestDueMs: 0, sendsDue: 0 };
  expect(lines).toMatchObject([{ code: 'SweepDue', outcome: 'done', ...nothing, OldestDueSeconds: 0 }]);
  rig.clock.advance(60_000);
  await rig.sweep();
  const beat = { sk: '-', toDispatch: 'yes', toCallBack: 'yes' };
  // Noon, in minutes, and an hour later in seconds.
  const beats = (await rig.table.rows('HEARTBEAT#')).sort((a, b) =>
    String(a['pk']).localeCompare(String(b['pk'])),
  );
  expect(beats).toEqual([
    { ...beat, pk: 'HEARTBEAT#29654640', expiresAt: 1_779_282_000 },
    { ...beat, pk: 'HEARTBEAT#29654641', expiresAt: 1_779_282_060 },
  ]);
});

test('a heartbeat that the table refuses fails the run, and its other tasks are done', async () => {
  const rig = await callbacksRig();
  await rig.keepOne('m1');
  const beat = () => Promise.reject(new Error('the table is away'));
  await expect(rig.newSweep({ heartbeats: { beat } })()).rejects.toThrow('the table is away');
  expect(rig.records()).toHaveLength(1);
});
