import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { BulkSend, StoredMessage } from '../../../shared/push/message-rows.ts';
import { budgetToCancel } from '../../../shared/push/sending/bulk-send.ts';
import { bars, forBars } from '../../support/http.ts';
import { syncRig } from '../places/sync-rig.ts';
import { promotionRig } from '../promotions/promotion-rig.ts';
import { content, pushRig, type Sent } from '../push/push-rig.ts';

const phone = 79_001_234_567;

function limited(limits: object) {
  return { partner: { ...bars, limits } };
}

describe('rule 48: a request', () => {
  test('counts a list once for each 2,000,000 characters begun, but never as more than fits', async () => {
    const rig = await syncRig();
    const large = { places: [], dryRun: true, confirmRemovals: true, note: 'n'.repeat(9_000_000) };
    const gzipped = {
      body: gzipSync(JSON.stringify(large)),
      headers: { ...forBars.headers, 'content-encoding': 'gzip' },
    };
    const send = async (heavyRequests: number) =>
      (await rig.send({}, { ...limited({ heavyRequests }), ...gzipped })).status;
    expect([await send(11), await send(11), await send(11)]).toEqual([200, 200, 429]);
    rig.clock.advance(10_000);
    expect([await send(2), await send(2)]).toEqual([200, 429]);
  });

  test('counts a scheduled bulk send once for each 1,000 recipients begun, a dry run too', async () => {
    const rig = await pushRig();
    const msisdn = Array.from({ length: 1_001 }, (_, n) => phone + n);
    const qos = { deliverFrom: '2026-05-20T12:10:00Z' };
    const send = async (more: object) =>
      (await rig.bulk({ ...content, msisdn, ...more }, limited({ heavyRequests: 4 }))).status;
    expect([await send({ qos, dryRun: true }), await send({ qos }), await send({ qos })]).toEqual([
      200, 200, 503,
    ]);
    rig.clock.advance(10_000);
    expect([await send({}), await send({}), await send({})]).toEqual([200, 200, 200]);
  });

  test('counts taking a send back once for each 10,000 recipients begun, and not again when that is repeated', async () => {
    const rig = await pushRig();
    const sent: Sent[][] = [];
    for (let n = 0; n < 3; n++) sent.push((await rig.bulk({ ...content, msisdn: [phone] })).body as Sent[]);
    rig.clock.advance(10_000);
    const cancel = async (n: number) => {
      const ask = limited({ heavyRequests: 2 });
      return (await rig.cancel(`${sent[n]?.[0]?.messageId}`, 'send', ask)).status;
    };
    expect([await cancel(0), await cancel(0), await cancel(1), await cancel(2)]).toEqual([
      200, 200, 200, 429,
    ]);
    rig.clock.advance(10_000);
    expect(await cancel(2)).toBe(200);
    const counts = [1, 10_000, 10_001, 40_000].map(
      (count) => budgetToCancel({ bulkId: 'b', count } as BulkSend)[1],
    );
    expect(counts).toEqual([1, 1, 2, 4]);
    const one = { messageId: sent[0]?.[0]?.messageId, acceptedAt: rig.clock.now() } as StoredMessage;
    expect(budgetToCancel(one)).toEqual(['others', 0]);
    expect(budgetToCancel({ ...one, deliverFrom: rig.clock.now() + 60_000 })).toEqual(['others', 9]);
  });

  test('counts a multi send once for each 20 minutes begun in which its messages end, and for its body, and no more than the whole budget', async () => {
    const rig = await pushRig();
    const send = async (count: number, heavyRequests: number, message?: string) => {
      const each = Array.from({ length: count }, (_, n) => ({
        ...{ ...content, msisdn: phone, message },
        qos: { deliverDue: new Date(rig.clock.now() + (n + 1) * 60_000).toISOString() },
      }));
      return (await rig.multi(each, limited({ heavyRequests }))).status;
    };
    const large = (count: number, heavyRequests: number) => send(count, heavyRequests, 'm'.repeat(900));
    expect([await send(21, 4), await send(21, 4), await send(1, 4)]).toEqual([200, 200, 503]);
    rig.clock.advance(10_000);
    expect([await send(20, 2), await send(20, 2), await send(20, 2)]).toEqual([200, 200, 503]);
    rig.clock.advance(10_000);
    expect([await large(600, 6), await large(1, 6)]).toEqual([200, 503]);
    rig.clock.advance(10_000);
    expect([await large(1, 6), await large(600, 6)]).toEqual([200, 503]);
    rig.clock.advance(10_000);
    // Nothing is left for the third part that it counts.
    expect([await large(600, 2), await large(1, 2)]).toEqual([200, 503]);
  });

  test('counts a list of more than 120 promotions nine times, before it reads on', async () => {
    const rig = await promotionRig();
    const create = (n: number) => rig.create({ name: `${n}` }, limited({ otherRequests: 10_000 }));
    for (let n = 0; n < 120; n++) await create(n);
    const list = async () => (await rig.list({}, limited({ otherRequests: 18 }))).status;
    const active = async () => (await rig.active(limited({ otherRequests: 18 }))).status;
    rig.clock.advance(10_000);
    const few = [];
    for (let n = 0; n < 10; n++) few.push(await list(), await active());
    expect(few.filter((status) => status === 200)).toHaveLength(18);
    await create(120);
    rig.clock.advance(10_000);
    expect([await list(), await active(), await list()]).toEqual([200, 200, 429]);
    rig.clock.advance(10_000);
    const statuses = await Promise.all(Array.from({ length: 10 }, list));
    expect(statuses.sort()).toEqual([200, ...Array(9).fill(429)]);
  });

  test('counts as often as its contract says', async () => {
    const rig = await promotionRig();
    const create = async () => (await rig.create({}, limited({ otherRequests: 20 }))).status;
    expect([await create(), await create(), await create()]).toEqual([200, 200, 429]);
  });

  test('a poll of a session with more than 100 errors, or more than 350 kB of them, is heavy, and no other', async () => {
    const rig = await syncRig();
    const over = limited({ heavyRequests: 2 });
    const polls = async (count: number, note = '') => {
      const wrong = Array.from({ length: count }, (_, n) => ({ itemId: `${n}`, note }));
      const { sessionId } = await rig.sync(wrong);
      rig.clock.advance(10_000);
      const statuses = [];
      for (let n = 0; n < 3; n++) statuses.push((await rig.get(sessionId, over)).status);
      return statuses;
    };
    expect(await polls(100)).toEqual([200, 200, 200]);
    expect(await polls(101)).toEqual([200, 200, 429]);
    expect(await polls(100, 'n'.repeat(4_000))).toEqual([200, 200, 429]);
    // It counts once for each 500,000 characters begun.
    expect(await polls(100, 'n'.repeat(5_000))).toEqual([200, 429, 429]);
  });
});
