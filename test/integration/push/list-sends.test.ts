import { describe, expect, test } from 'vitest';
import { day, noon } from '../../support/clock.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { bakery } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { readPages } from '../../support/read-pages.ts';
import { content, numbers, pushRig, type Sent } from './push-rig.ts';

const rig = inEachTest(pushRig);

const utm = { utmSource: 'crm', utmCampaign: 'spring' };

describe('rule 43: the list of sends', () => {
  const listed = async (query: Record<string, string> = {}) => {
    const { body } = await rig.sends(query);
    return body as { sends: { messageId: string; recipients: number; title?: string }[]; cursor?: string };
  };

  test('has sends of more than one message, newest first, without what is only one', async () => {
    const first = await rig.sent.bulk(numbers(2), { ...content, utm });
    rig.clock.advance(1);
    await rig.sent.single(79_000_000_000);
    await rig.sent.bulk([79_000_000_000, 79_000_000_000]);
    await rig.sent.multi([{ ...content, msisdn: 79_000_000_000 }]);
    const second = await rig.sent.multi(numbers(3).map((msisdn) => ({ ...content, msisdn })));
    const shown = (sent: Sent[], acceptedAt: string) => ({
      ...{ messageId: sent[0]?.messageId, acceptedAt, recipients: sent.length },
      ...{ pushType: 'SERVICE', title: 'Ваш заказ готов' },
    });
    expect((await rig.sends()).body).toEqual({
      sends: [
        shown(second, '2026-05-20T12:00:00.001Z'),
        { ...shown(first, '2026-05-20T12:00:00.000Z'), utm },
      ],
    });
    expect((await rig.sends({}, { partner: bakery })).body).toEqual({ sends: [] });
  });

  test('comes in pages', async () => {
    for (let count = 2; count <= 6; count++) {
      await rig.sent.bulk(numbers(count));
      rig.clock.advance(1_000);
    }
    const pages = await readPages((next) => listed({ limit: '2', ...next }));
    const recipientsOf = ({ sends }: (typeof pages)[number]) => sends.map(({ recipients }) => recipients);
    expect(pages.map(recipientsOf)).toEqual([[6, 5], [4, 3], [2]]);
  });

  test('goes back 30 days, and has no more sends after the cursor of a page whose sends have expired since', async () => {
    for (let count = 2; count <= 3; count++) {
      await rig.sent.bulk(numbers(count));
      rig.clock.advance(1_000);
    }
    const { cursor = '' } = await listed({ limit: '1' });
    rig.clock.set(noon + 30 * day);
    expect((await listed()).sends).toMatchObject([{ recipients: 3 }]);
    // A send may have waited for its time for a week before its 30 days began.
    rig.clock.set(noon + 1_000 + 37 * day);
    rig.table.units();
    expect(await rig.sends({ limit: '1', cursor })).toMatchObject({ status: 200, body: { sends: [] } });
    // The service does not query here: DynamoDB, unlike the tests' engine, refuses a start key outside the range.
    expect(rig.table.units()).toEqual({ read: 0, write: 0, calls: 0 });
  });

  test('has no send that was not accepted, and one that a later try of the request stored once', async () => {
    const keyed = { headers: { 'idempotency-key': 'campaign-1' } };
    const send = () => rig.bulk({ ...content, msisdn: numbers(2) }, keyed);
    const dies = failingCommand(rig.table.client, ({ input }) => input.Item?.sk === 'PAYLOAD');
    expect((await send()).status).toBe(503);
    dies.remove();
    expect((await listed()).sends).toEqual([]);
    rig.clock.advance(60_000);
    const { messageId } = ((await send()).body as Sent[])[0] ?? {};
    expect((await listed()).sends.map((one) => one.messageId)).toEqual([messageId]);
    expect(await rig.table.rows('SENDS#bars')).toHaveLength(2);
  });
});
