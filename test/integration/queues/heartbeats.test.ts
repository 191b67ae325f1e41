import { expect, test } from 'vitest';
import { callbacksRig } from '../callbacks/callbacks-rig.ts';

test('every minute writes one new row with the markers of both readers of the stream, for one unit', async () => {
  const rig = await callbacksRig();
  rig.table.units();
  await rig.sweep();
  expect(rig.table.units().write).toBe(1);
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
