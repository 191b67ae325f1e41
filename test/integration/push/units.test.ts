import { expect, test } from 'vitest';
import { content, pushRig, type Sent } from './push-rig.ts';

const phone = 79_001_234_567;

test('units of sending: one message, and bulks of 1, 100 and 10,000', async () => {
  const rig = await pushRig();
  const msisdns = Array.from({ length: 10_000 }, (_, n) => 79_000_000_000 + n);
  await rig.register(phone, ...msisdns.slice(0, 900));
  // The first request of an instance leases a thousandth of the rate; the next thousand are free.
  await rig.single({ ...content, msisdn: phone });
  rig.table.units();

  await rig.single({ ...content, msisdn: phone });
  expect(rig.table.units()).toEqual({ read: 0.5, write: 1, calls: 2 });
  await rig.single({ ...content, msisdn: 79_009_999_999 });
  expect(rig.table.units()).toEqual({ read: 0.5, write: 1, calls: 2 });

  await rig.bulk({ ...content, msisdn: [phone] });
  expect(rig.table.units()).toEqual({ read: 0.5, write: 2, calls: 3 });
  await rig.bulk({ ...content, msisdn: msisdns.slice(0, 100) });
  expect(rig.table.units()).toEqual({ read: 50, write: 2, calls: 3 });
  await rig.bulk({ ...content, msisdn: msisdns });
  expect(rig.table.units()).toEqual({ read: 5_000, write: 82, calls: 112 });
});

test('units of a receipt and of a history', async () => {
  const rig = await pushRig();
  await rig.register(phone);
  const { messageId } = (await rig.single({ ...content, msisdn: phone })).body as Sent;
  rig.table.units();
  await rig.receive({
    receipts: [{ messageId, msisdn: phone, state: 'DELIVERED', time: '2026-05-20T12:00:00Z' }],
  });
  expect(rig.table.units()).toEqual({ read: 1, write: 1, calls: 2 });
  await rig.history(messageId);
  expect(rig.table.units()).toEqual({ read: 2, write: 0, calls: 2 });
});
