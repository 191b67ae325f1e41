import { expect, test } from 'vitest';
import { bars } from '../../support/http.ts';
import { content, pushRig, type Sent } from './push-rig.ts';

const phone = 79_001_234_567;

test('units of sending: one message, and bulks of 1, 100 and 10,000', async () => {
  const rig = await pushRig();
  const msisdns = Array.from({ length: 10_000 }, (_, n) => 79_000_000_000 + n);
  await rig.register(phone, ...msisdns.slice(0, 900));
  // The first request of an instance leases a thousandth of the rate, so the next hundred need no lease.
  await rig.single({ ...content, msisdn: phone });
  rig.table.units();

  await rig.single({ ...content, msisdn: phone });
  expect(rig.table.units()).toEqual({ read: 0.5, write: 1, calls: 2 });
  await rig.single({ ...content, msisdn: 79_009_999_999 });
  expect(rig.table.units()).toEqual({ read: 0.5, write: 1, calls: 2 });

  await rig.bulk({ ...content, msisdn: [phone] });
  expect(rig.table.units()).toEqual({ read: 0.5, write: 2, calls: 3 });
  rig.clock.advance(20_000);
  await rig.bulk({ ...content, msisdn: msisdns.slice(0, 100) });
  expect(rig.table.units()).toEqual({ read: 50, write: 4, calls: 5 });
  rig.clock.advance(20_000);
  await rig.bulk({ ...content, msisdn: msisdns });
  expect(rig.table.units()).toEqual({ read: 5_000, write: 83, calls: 113 });
});

test('units of a receipt and of a history', async () => {
  const rig = await pushRig();
  await rig.register(phone);
  const { messageId } = (await rig.single({ ...content, msisdn: phone })).body as Sent;
  rig.table.units();
  await rig.receive({
    receipts: [{ messageId, msisdn: phone, state: 'DELIVERED', time: '2026-05-20T12:00:00Z' }],
  });
  expect(rig.table.units()).toEqual({ read: 0.5, write: 1, calls: 2 });
  await rig.history(messageId);
  expect(rig.table.units()).toEqual({ read: 1.5, write: 0, calls: 2 });
});

test('units of the receipts of a bulk send: one write for 40 neighbours, in each wave', async () => {
  const rig = await pushRig();
  const msisdns = Array.from({ length: 1_000 }, (_, n) => 79_000_000_000 + n);
  await rig.register(...msisdns);
  const asked = { ...content, qos: { deliveryStatusNotifications: true } };
  const partnerId = 'a partner with an id of forty characters';
  const sent = (await rig.bulk({ ...asked, msisdn: msisdns }, { partner: { ...bars, partnerId } }))
    .body as Sent[];
  const wave = (state: string) =>
    [0, 500].map((from) => ({
      receipts: sent
        .slice(from, from + 500)
        .map(({ messageId, msisdn }) => ({ messageId, msisdn, state, time: '2026-05-20T12:00:59.999Z' })),
    }));
  rig.table.units();
  await rig.receive(...wave('DELIVERED'));
  // Each message of receipts reads the send and its part. The row in the middle, which both need, is written once.
  expect(rig.table.units()).toEqual({ read: 3, write: 25, calls: 29 });
  await rig.receive(...wave('OPENED'));
  expect(rig.table.units()).toEqual({ read: 3, write: 25, calls: 29 });
  await rig.receive(...wave('OPENED'));
  expect(rig.table.units()).toMatchObject({ write: 25 });
});
