import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { maxResponseBytes } from '../../../shared/platform/http/response-size.ts';
import { days } from '../../../shared/platform/runtime/clock.ts';
import { bulkIdFrom, bulkMessageId } from '../../../shared/push/message-id.ts';
import { noon } from '../../support/clock.ts';
import { eraseNumber } from '../../support/erase-number.ts';
import { bakery, neverKept, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { content, numbers, pushRig, type Sent } from './push-rig.ts';

const rig = inEachTest(pushRig);

const utm = { utmSource: 'crm', utmCampaign: 'spring' };

function sendTo(msisdn: number[], more: object = {}): Promise<Sent[]> {
  return rig.sent.bulk(msisdn, { ...content, ...more });
}

/** Expires the messages that were neither delivered nor opened, at 12:10. */
function expire(sent: readonly (Sent | undefined)[]) {
  return rig.expire(sent, noon + 600_000);
}

describe('rule 43: the report of a send', () => {
  test('counts every message once, by the furthest it got, whichever of them is named', async () => {
    await rig.register(...numbers(7));
    const sent = await sendTo(numbers(8), { utm, qos: { deliverDue: '2026-05-20T15:10:00+03:00' } });
    await rig.reports([sent[0], sent[1], sent[2]], 'DELIVERED', '2026-05-20T12:00:03Z');
    await rig.reports([sent[0], sent[3]], 'OPENED', '2026-05-20T12:01:00Z');
    await expire([sent[5], sent[6]]);
    await rig.reports([sent[6]], 'DELIVERED', '2026-05-20T12:02:00Z');
    const { messageId = '' } = sent[4] ?? {};
    const shown = { messageId, acceptedAt: '2026-05-20T12:00:00.000Z', pushType: 'SERVICE', utm };
    const counts = { recipients: 8, notRegistered: 1, enqueued: 1, delivered: 3, opened: 2, expired: 1 };
    expect((await rig.report(messageId)).body).toMatchObject({
      ...{ ...shown, ...counts, title: 'Ваш заказ готов' },
      ...{ deliverDue: '2026-05-20T15:10:00+03:00', erased: 0 },
    });
  });

  test('as CSV has a line for each recipient', async () => {
    await rig.register(...numbers(3));
    rig.clock.set(noon + 700);
    const sent = await sendTo(numbers(4));
    await rig.reports([sent[0]], 'DELIVERED', '2026-05-20T12:00:01.900Z');
    await rig.reports([sent[0]], 'OPENED', '2026-05-20T12:01:00Z');
    await expire([sent[2]]);
    const { headers, body } = await rig.csv(sent[3]);
    expect(headers).toEqual({
      ...neverKept,
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="report-${sent[3]?.messageId}.csv"`,
    });
    expect(body).toBe(
      [
        'msisdn,messageId,state,acceptedAt,deliveredAt,openedAt,expiredAt,cancelledAt',
        `79000000000,${sent[0]?.messageId},OPENED,2026-05-20T12:00:00Z,2026-05-20T12:00:01Z,2026-05-20T12:01:00Z,,`,
        `79000000001,${sent[1]?.messageId},ENQUEUED,2026-05-20T12:00:00Z,,,,`,
        `79000000002,${sent[2]?.messageId},EXPIRED,2026-05-20T12:00:00Z,,,2026-05-20T12:10:00Z,`,
        `79000000003,${sent[3]?.messageId},MSISDN_NOT_REGISTERED,2026-05-20T12:00:00Z,,,,`,
        '',
      ].join('\r\n'),
    );
  });

  test('as CSV has a column for the utm that all its messages have', async () => {
    const hostile = { utmSource: '=1+1, "x"\r\n', n: 1 };
    const sent = await sendTo(numbers(2), { utm: hostile });
    const [header, line] = (await rig.csv(sent[0])).body.split('\r\n');
    expect(header).toBe('msisdn,messageId,state,acceptedAt,deliveredAt,openedAt,expiredAt,cancelledAt,utm');
    expect(line).toBe(
      `79000000000,${sent[0]?.messageId},MSISDN_NOT_REGISTERED,2026-05-20T12:00:00Z,,,,,"{""utmSource"":""=1+1, \\""x\\""\\r\\n"",""n"":1}"`,
    );
    const each = (name: string) => ({ ...content, utm: { utmSource: name } });
    const several = numbers(2).map((msisdn, n) => ({ ...each(`crm${n}`), msisdn }));
    const multi = (await rig.multi(several)).body as Sent[];
    expect((await rig.csv(multi[0])).body).toMatch(/cancelledAt\r\n/);
  });

  test.each([
    ['application/json, TEXT/CSV', 'text/csv'],
    ['application/json, text/csv;q=0.9', 'application/json'],
    ['application/json;q=0.5, text/*;q=0.6', 'text/csv'],
    ['*/*', 'application/json'],
  ])('that accepts %s is %s', async (accept, type) => {
    const sent = await sendTo(numbers(2));
    const { headers } = await rig.csv(sent[0], accept);
    expect(headers['content-type']).toMatch(type);
  });

  test('of a single message has one recipient, and is there for 30 days', async () => {
    await rig.register(79_000_000_000);
    const sent = await rig.sent.single(79_000_000_000, { ...content, utm });
    await rig.reports([sent], 'DELIVERED', '2026-05-20T12:00:03Z');
    const single = { messageId: sent.messageId, recipients: 1, delivered: 1, enqueued: 0, utm };
    expect((await rig.report(sent)).body).toMatchObject(single);
    expect((await rig.csv(sent)).body.split('\r\n')[1]).toBe(
      `79000000000,${sent.messageId},DELIVERED,2026-05-20T12:00:00Z,2026-05-20T12:00:03Z,,,,"{""utmSource"":""crm"",""utmCampaign"":""spring""}"`,
    );
    rig.clock.set(noon + days(30));
    expect(await rig.report(sent)).toMatchObject({ status: 404 });
  });

  test('of several messages has what all of them agree on', async () => {
    const common = { ...content, utm: { ...utm, n: 1.1 } };
    const titled = (title: string) => ({ ...common, payload: { ...content.payload, title } });
    const titles = ['one', 'one', 'another'];
    const dues = ['2026-05-20T15:10:00+03:00', '2026-05-20T12:10:00Z', '2026-05-20T12:10:00Z'];
    const sent = await rig.sent.multi(
      numbers(3).map((msisdn, n) => ({ ...titled(`${titles[n]}`), qos: { deliverDue: dues[n] }, msisdn })),
    );
    const { body } = await rig.report(sent[1]);
    const agreed = { pushType: 'SERVICE', utm: { ...utm, n: 1.1 }, deliverDue: dues[0] };
    expect(body).toMatchObject({ recipients: 3, ...agreed });
    expect(body).not.toHaveProperty('title');
  });

  test('counts erased recipients, and names none', async () => {
    await rig.register(...numbers(3));
    const sent = await sendTo(numbers(3));
    await rig.reports([sent[0], sent[1]], 'OPENED', '2026-05-20T12:01:00Z');
    await eraseNumber(rig.table, 79_000_000_000);
    const counts = { recipients: 3, opened: 1, enqueued: 1, erased: 1 };
    expect((await rig.report(sent[0])).body).toMatchObject(counts);
    const [, ...lines] = (await rig.csv(sent[0])).body.split('\r\n');
    expect(lines.map((line) => line.slice(0, 11))).toEqual(['79000000001', '79000000002', '']);
  });

  test('does not say what messages had in common once all their recipients are erased', async () => {
    const to = [79_000_000_000, 79_000_000_000, 79_000_000_001];
    const sent = await rig.sent.multi(to.map((msisdn) => ({ ...content, msisdn })));
    const { messageId = '' } = sent[0] ?? {};
    await eraseNumber(rig.table, 79_000_000_000);
    expect((await rig.report(messageId)).body).toMatchObject({ title: 'Ваш заказ готов', erased: 2 });
    await eraseNumber(rig.table, 79_000_000_001);
    expect((await rig.report(messageId)).body).toEqual({
      messageId,
      acceptedAt: '2026-05-20T12:00:00.000Z',
      ...{ recipients: 3, notRegistered: 0, scheduled: 0, enqueued: 0, delivered: 0, opened: 0 },
      ...{ expired: 0, cancelled: 0, erased: 3, byHour: [] },
    });
    expect(JSON.stringify(await rig.table.rows())).not.toContain('Ваш заказ готов');
  });

  test('is given 120 times a minute, to each partner', async () => {
    const [first] = await sendTo(numbers(2));
    await rig.deps.reports.take('bars', 119, rig.clock.now());
    expect(await rig.report(first)).toMatchObject({ status: 200 });
    rig.clock.advance(20_000);
    const sentence = 'messageId: 120 reports a minute are possible, ask again after 40 s';
    expect(await rig.report(first)).toMatchObject({
      ...refusal(429, 'REPORT_LIMIT_EXCEEDED', sentence),
      headers: { 'retry-after': '40' },
    });
    expect(await rig.report(first, { partner: bakery })).toMatchObject({ status: 404 });
    rig.clock.advance(60_000);
    expect(await rig.report(first)).toMatchObject({ status: 200 });
  });

  test('as CSV goes to 30,000 recipients, which fit into a response; as JSON to any number', async () => {
    const to = async (count: number) => {
      const recipients = numbers(count).map((n) => ({ msisdn: n + 900_000_000_000_000, registered: false }));
      const contents = [{ ...content, pushType: 'SERVICE' as const, utm: { utmMiddle: 'x'.repeat(200) } }];
      const bulkId = bulkIdFrom(randomUUID());
      const owner = { partnerId: 'bars', requestId: 'r1', acceptedAt: noon };
      await rig.deps.messages.saveBulk({ ...owner, bulkId, recipients, contents, each: false });
      return bulkMessageId(bulkId, 0);
    };
    const fits = await rig.csv(await to(30_000));
    expect(fits.body.split('\r\n')).toHaveLength(30_002);
    // With it, the file would be larger than a response.
    expect(fits.body).not.toContain('utm');
    expect(Buffer.byteLength(JSON.stringify(fits.body))).toBeLessThan(maxResponseBytes);
    const tooMany = await to(30_001);
    expect(await rig.csv(tooMany)).toMatchObject({
      statusCode: 413,
      body: '{"status":"REPORT_TOO_LARGE","errors":["accept: a CSV has at most 30000 recipients, this send has 30001; ask for application/json, which has the counts"]}',
    });
    expect((await rig.report(tooMany)).body).toMatchObject({ recipients: 30_001, notRegistered: 30_001 });
  });
});
