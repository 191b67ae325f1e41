import { describe, expect, test } from 'vitest';
import { capacityMeter } from '../../../ops/data-lifecycle/capacity-meter.ts';
import { eraseRecipient } from '../../../ops/data-lifecycle/erase-recipient.ts';
import { bulkIdFrom } from '../../../shared/push/message-id.ts';
import type { BulkSend } from '../../../shared/push/message-rows.ts';
import { diesAfterItsWork } from '../../support/dies-after-its-work.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { content, numbers, other, phone, pushRig, type Sent, scheduled } from './push-rig.ts';

const rig = inEachTest(() => pushRig(phone));

describe('a send that is written again, by its repetition or because a write that was given up arrives late', () => {
  const qos = { deliverFrom: '2026-05-20T15:10:00+03:00' };
  const at = { partnerId: 'bars', requestId: 'r-1', acceptedAt: Date.UTC(2026, 4, 20, 12) };
  const stored = { ...content, pushType: 'SERVICE' as const };

  test.each([
    ['single', {}, 0],
    ['scheduled single', { qos }, 1],
  ])('stays as it was stored first: a %s message', async (_what, more, events) => {
    const messageId = '6cd9331a-2ebe-43d9-9e3f-6c6c5b7ba8e6';
    const message = { ...at, messageId, msisdn: phone, content: { ...stored, ...more } };
    const first = { ...message, registered: true };
    expect(await rig.deps.messages.saveSingle(first)).toMatchObject(first);
    const later = { ...message, registered: false, acceptedAt: at.acceptedAt + 60_000 };
    expect(await rig.deps.messages.saveSingle(later)).toMatchObject(first);
    expect([...(await rig.deps.messages.findMany([messageId], at.acceptedAt)).values()]).toMatchObject([
      first,
    ]);
    expect(await rig.table.rows('EVENTS#')).toHaveLength(events);
  });

  test('stays as it was stored first: a bulk send', async () => {
    const bulkId = bulkIdFrom('5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11');
    const save = (acceptedAt: number, ...registered: number[]) => {
      const recipients = [phone, other].map((msisdn) => ({
        msisdn,
        registered: registered.includes(msisdn),
      }));
      return rig.deps.messages.saveBulk({
        ...{ ...at, acceptedAt, bulkId, recipients, contents: [stored], each: false },
      });
    };
    expect(await save(at.acceptedAt, phone)).toEqual([true, false]);
    expect(await save(at.acceptedAt + 60_000, other)).toEqual([true, false]);
    const send = (await rig.deps.messages.findSends([bulkId])).get(bulkId) as BulkSend;
    expect(await rig.deps.messages.readRecipients(send)).toMatchObject([
      { registered: true },
      { registered: false },
    ]);
    expect(await rig.heads()).toMatchObject([{ acceptedAt: at.acceptedAt, registeredCount: 1 }]);
  });
});

test.each([
  ['a single', 'single', content, 'ENQUEUED'],
  ['a bulk', 'bulk', content, 'ENQUEUED'],
  ['a multi', 'multi', content, 'ENQUEUED'],
  ['rule 54: a scheduled single', 'single', scheduled, 'SCHEDULED'],
  ['rule 54: a scheduled bulk', 'bulk', scheduled, 'SCHEDULED'],
] as const)(
  '%s send that died after its work is answered as it was stored, whoever was registered or not since',
  async (_what, how, message, state) => {
    const key = { headers: { 'idempotency-key': 'k1' } };
    const body = {
      single: { ...message, msisdn: phone },
      bulk: { ...message, msisdn: [phone, other] },
      multi: [phone, other].map((msisdn) => ({ ...message, msisdn })),
    }[how];
    const first = await diesAfterItsWork(rig, () => rig[how](body, key));
    await rig.register(other);
    await rig.unregister(phone);
    const again = await rig[how](body, key);
    // Rule 49: neither this one nor the next counts.
    const leftFor = (seconds: number) => ({ ratelimit: `"recipients";r=100000;t=${seconds}` });
    expect(again).toMatchObject({ status: 200, body: first.body, headers: leftFor(60) });
    // Rule 38: the headers of a replay are those of now.
    rig.clock.advance(20_000);
    const replayed = { ...leftFor(40), 'idempotent-replayed': 'true' };
    expect(await rig[how](body, key)).toMatchObject({ body: first.body, headers: replayed });
    const [one, two] = [again.body].flat() as Sent[];
    expect([one?.state, two?.state]).toEqual([state, how === 'single' ? undefined : 'MSISDN_NOT_REGISTERED']);
    expect(await rig.statesOf(one)).toEqual([`${state} 15:00:00`]);
    expect(await rig.handedOver()).toEqual(state === 'SCHEDULED' ? [] : [one?.messageId]);
    expect(await rig.heads()).toHaveLength(1);
  },
);

test.each([
  ['a small', 1],
  ['a large', 300],
])(
  'rule 5: %s response that is erased with a recipient leaves the send under its key: nothing is sent again',
  async (_what, count) => {
    const msisdn = [phone, ...numbers(count)];
    const key = { headers: { 'idempotency-key': 'k1' } };
    const first = (await rig.bulk({ ...content, msisdn }, key)).body as Sent[];
    const { table } = rig;
    await eraseRecipient(table, capacityMeter(table, 1e9), { msisdn: msisdn[1] as number, dryRun: false });
    const again = (await rig.bulk({ ...content, msisdn }, key)).body as Sent[];
    expect(again[1]).toMatchObject({ msisdn: msisdn[1], state: 'MSISDN_NOT_REGISTERED' });
    expect(again[0]).toEqual(first[0]);
    expect(again).toHaveLength(1 + count);
    expect(await rig.heads()).toHaveLength(1);
    expect(await rig.handedOver()).toEqual([first[0]?.messageId]);
  },
);
