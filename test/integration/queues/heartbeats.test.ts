import { expect, test } from 'vitest';
import { callbacksRig } from '../callbacks/callbacks-rig.ts';

async function rowsOfHeartbeats(rig: Awaited<ReturnType<typeof callbacksRig>>) {
  return (await rig.table.rows()).filter(({ pk }) => String(pk).startsWith('HEARTBEAT#'));
}

test('every minute writes one new row with the markers of both readers of the stream, for one unit', async () => {
  const rig = await callbacksRig();
  rig.table.units();
  await rig.sweep();
  expect(rig.table.units().write).toBe(1);
  rig.clock.advance(60_000);
  await rig.sweep();
  const beat = { sk: '-', toDispatch: 'yes', toCallBack: 'yes' };
  // Noon, in minutes, and an hour later in seconds.
  const beats = (await rowsOfHeartbeats(rig)).sort((a, b) => String(a['pk']).localeCompare(String(b['pk'])));
  expect(beats).toEqual([
    { ...beat, pk: 'HEARTBEAT#29654640', expiresAt: 1_779_282_000 },
    { ...beat, pk: 'HEARTBEAT#29654641', expiresAt: 1_779_282_060 },
  ]);
});

test('a heartbeat that the table refuses fails the run, and its other tasks are done', async () => {
  const rig = await callbacksRig();
  const id = '5d3b7a0e-0000-4000-8000-000000000001';
  const due = { status: 'waiting' as const, dueAt: rig.clock.now(), tries: 1, attempts: [] };
  const callback = { partnerId: 'bars', messageId: id, state: 'OPENED', msisdn: 79_001_234_567 } as const;
  await rig.callbacks.create({ ...callback, changedAt: 1 }, due, rig.clock.now());
  const beat = () => Promise.reject(new Error('the table is away'));
  await expect(rig.newSweep({ heartbeats: { beat } })()).rejects.toThrow('the table is away');
  expect(rig.records()).toHaveLength(1);
});
