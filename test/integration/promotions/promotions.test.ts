import { describe, expect, test } from 'vitest';
import openApi from '../../../docs/openapi.json' with { type: 'json' };
import { promotionCounterKey } from '../../../shared/platform/table/row-keys/promotions.ts';
import { putRow } from '../../../shared/platform/table/rows.ts';
import { diesAfterItsWork } from '../../support/dies-after-its-work.ts';
import { bakery, invalid, neverKept, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { everything, followsFromDates, promotionRig } from './promotion-rig.ts';

const rig = inEachTest(promotionRig);

/** A promotion whose members have the number in them. */
function numbered(n: number) {
  const image = (name: string) => `https://bars.example/${name}${n}.png`;
  return {
    ...{ name: `Promotion ${n}`, description: `<p>${n}</p>`, discount: `${n} %` },
    ...{ startDate: `2026-05-0${n}T00:00:00+03`, endDate: `2026-09-0${n}T00:00:00+03` },
    images: { imageWide: image('wide'), imageSquare: image('square') },
  };
}

test.each(['CreatePromotionRequest', 'UpdatePromotionRequest'] as const)(
  'rule 28: every member of %s is in the details of the promotion',
  async (name) => {
    const { properties } = openApi.components.schemas[name];
    const members = Object.keys(properties).filter((member) => member !== 'promoId');
    expect(members.sort()).toEqual(Object.keys(numbered(1)).sort());
    await rig.create(numbered(1));
    if (name === 'UpdatePromotionRequest') await rig.update({ promoId: 1, ...numbered(2) });
    expect((await rig.details(1)).body).toMatchObject(numbered(name === 'UpdatePromotionRequest' ? 2 : 1));
  },
);

describe('rule 28: creating a promotion', () => {
  test('counts up per partner from 1', async () => {
    expect((await rig.create({})).body).toEqual({ promoId: 1, status: 'active' });
    expect((await rig.create({})).body).toEqual({ promoId: 2, status: 'active' });
    expect((await rig.create({}, { partner: bakery })).body).toEqual({ promoId: 1, status: 'active' });
  });

  test('that died after its work is made once: its repeat answers with the first promotion, also when it was the last', async () => {
    await putRow(rig.table, { ...promotionCounterKey('bars'), lastId: 998 });
    const headers = { 'idempotency-key': 'spring-1' };
    const first = await diesAfterItsWork(rig, () => rig.create(everything, { headers }));
    await rig.create({});
    const lines = collectLines();
    const again = await rig.create(everything, { headers });
    expect(lines).toMatchObject([{ promoId: 999, repeat: true }]);
    expect(first).toMatchObject({ status: 200, body: { promoId: 999 } });
    expect(again.body).toEqual(first.body);
    expect((await rig.page()).metadata.totalCount).toBe(2);
    expect(JSON.stringify((await rig.page()).items)).not.toContain('madeBy');
  });

  test('whose write comes late, beside that of its repeat, makes one promotion', async () => {
    const by = { madeBy: 'dbd4a0f5-7a52-4c0e-9a1c-2f6f7f0f7d11', atMs: rig.clock.now() };
    const happyHour = {
      name: 'Happy hour',
      startsAt: { ms: 0, offsetMinutes: 0 },
      ...{ endsAt: undefined, description: '', discount: '', source: 'api' as const },
    };
    const create = () => rig.promotions.create('bars', happyHour, by);
    const made = await Promise.all([create(), create()]);
    expect(new Set(made).size).toBe(1);
    expect(await rig.promotions.list('bars')).toHaveLength(1);
  });

  test.each([
    [{ status: 'completed' }, followsFromDates],
    [
      { description: 'x'.repeat(10_001) },
      'description: must have at most 10000 characters, it has 10001 (counted in Unicode code points)',
    ],
    [{ endDate: '2026-05-01T00:00:00+03' }, 'endDate: must be after startDate'],
    // This only looks later.
    [{ endDate: '2026-05-01T01:00:00+05' }, 'endDate: must be after startDate'],
    [{ images: { imageSquare: 'javascript:alert(1)' } }, 'images.imageSquare: must be an http or https URL'],
    [{ images: { imageWide: 'https://bars.example/\na' } }, 'images.imageWide: must be an http or https URL'],
  ])('with %.80j is refused', async (body, sentence) => {
    expect(await rig.create(body)).toMatchObject(invalid(sentence));
    expect((await rig.page()).items).toEqual([]);
  });
});

test('the details of a promotion have every member also when only name and start were sent', async () => {
  await rig.create({ name: 'Bare', startDate: '2026-05-20T12:00:00Z' });
  expect((await rig.details(1)).body).toEqual({
    promoId: 1,
    name: 'Bare',
    startDate: '2026-05-20T12:00:00+00',
    endDate: null,
    status: 'active',
    images: {},
    description: '',
    discount: '',
    source: 'api',
  });
});

async function fourPromotions() {
  const over = { startDate: '2026-01-01T00:00:00+03', endDate: '2026-02-01T00:00:00+03' };
  await rig.create({ name: 'over', ...over });
  await rig.create({ name: 'to come', startDate: '2026-06-01T00:00:00+05:30' });
  await rig.create({ name: 'runs', startDate: '2026-05-01T00:00:00Z', endDate: '2026-06-01T00:00:00-10' });
  await rig.create({ name: 'runs too', startDate: '2026-05-01T03:00:00+03' });
}

test('rule 27: the list of promotions has the newest start first, and of two the one created last', async () => {
  await fourPromotions();
  const { status, body } = await rig.list();
  const { metadata, items } = body as { metadata: object; items: object[] };
  expect([status, metadata]).toEqual([200, { limit: 15, offset: 0, totalCount: 4, activeOnly: false }]);
  expect(items.map((item) => Object.values(item).join(' '))).toEqual([
    '2 to come 2026-06-01T00:00:00+05:30  planned',
    '4 runs too 2026-05-01T03:00:00+03  active',
    '3 runs 2026-05-01T00:00:00+00 2026-06-01T00:00:00-10 active',
    '1 over 2026-01-01T00:00:00+03 2026-02-01T00:00:00+03 completed',
  ]);
  expect(Object.keys(items[0] ?? {})).toEqual(['promoId', 'name', 'startDate', 'endDate', 'status']);
  expect(items[0]).toHaveProperty('endDate', null);
});

test('rule 27: the list of promotions counts on all pages what the filter leaves', async () => {
  await fourPromotions();
  expect(await rig.page({ limit: '1', offset: '1', activeOnly: 'true' })).toMatchObject({
    metadata: { limit: 1, offset: 1, totalCount: 2, activeOnly: true },
    items: [{ promoId: 3 }],
  });
});

test('the list of promotions tells who sends a parameter twice, which the gateway joins, to send it once', async () => {
  expect(await rig.list({ limit: '5,6', activeOnly: 'true,true' })).toMatchObject(
    invalid(
      'limit: must be a whole number from 1 to 100, and be sent once',
      'activeOnly: must be one of true, false, and be sent once',
    ),
  );
});

test('the active promotions come with id, name and active', async () => {
  await rig.create({ name: 'runs' });
  await rig.create({ name: 'to come', startDate: '2026-06-01T00:00:00+03' });
  expect(await rig.active()).toMatchObject({
    status: 200,
    body: { promos: [{ id: 1, name: 'runs', active: true }] },
  });
});

test('active promotions that are none are a 404 of zero bytes whose reason is in a header', async () => {
  await rig.create({ startDate: '2026-06-01T00:00:00+03' });
  await rig.create({}, { partner: bakery });
  expect(await rig.active()).toEqual({
    status: 404,
    headers: { ...neverKept, 'x-error': 'NO_ACTIVE_PROMOTIONS; promos: none is active at this moment' },
    body: '',
  });
});

test('rule 27: a partner has 1,000 promotions at most, so of those that race for the last places as many succeed as there are places', async () => {
  await putRow(rig.table, { ...promotionCounterKey('bars'), lastId: 997 });
  const last = await Promise.all(Array.from({ length: 6 }, () => rig.create({})));
  expect(last.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(last.find(({ status }) => status !== 200)).toMatchObject(
    refusal(
      409,
      'PROMO_LIMIT_EXCEEDED',
      'promotions: there are 1000, which is the most; change one that has ended, by POST /promo/v1/update',
    ),
  );
  expect((await rig.update({ promoId: 1_000, name: 'The last' })).status).toBe(200);
});

test("the wallet's list of promotions has the details of the active ones, newest start first", async () => {
  await rig.create(everything);
  await rig.create({ startDate: '2026-06-01T00:00:00+03' });
  await rig.create({ name: 'Second' });
  await rig.create({ name: 'Bread' }, { partner: bakery });
  expect(await rig.wallet()).toMatchObject({
    status: 200,
    body: {
      promos: [
        {
          promoId: 1,
          description: '<p>Draught <b>beer</b></p>',
          discount: '50 %',
          status: 'active',
          source: 'api',
        },
        { promoId: 3, name: 'Second', endDate: null, images: {} },
      ],
    },
  });
  expect((await rig.wallet('bakery-club')).body).toMatchObject({ promos: [{ promoId: 1, name: 'Bread' }] });
});

test("the wallet's list of promotions comes page by page", async () => {
  for (const day of ['03', '01', '02', '02']) await rig.create({ startDate: `2026-05-${day}T00:00:00Z` });
  const ids = (body: unknown) =>
    (body as { promos: { promoId: number }[] }).promos.map(({ promoId }) => promoId);
  const first = await rig.wallet('bars-of-moscow', { limit: '2' });
  expect(ids(first.body)).toEqual([1, 4]);
  const { cursor = '' } = first.body as { cursor?: string };
  const second = await rig.wallet('bars-of-moscow', { limit: '2', cursor });
  expect(ids(second.body)).toEqual([3, 2]);
  expect(second.body).not.toHaveProperty('cursor');
});

test("the wallet's list of promotions is empty when none is active, and 404 when there is no such offer", async () => {
  expect(await rig.wallet()).toMatchObject({ status: 200, body: { promos: [] } });
  expect(await rig.wallet('nobody')).toMatchObject(
    refusal(404, 'OFFER_NOT_FOUND', 'offerId: nobody is not a loyalty program of this service'),
  );
});
