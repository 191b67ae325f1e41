import { expect, test } from 'vitest';
import { packPlaces } from '../../../shared/partners/allowed-places.ts';
import { storedPlace } from '../../../shared/places/place.ts';
import { bars, type Request, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { checkInRig } from './check-in-rig.ts';

const rig = inEachTest(checkInRig);

async function storePlaces(...itemIds: string[]): Promise<void> {
  const put = itemIds.map((itemId) => storedPlace({ itemId, placeInfo: { address: 'x' } }));
  await rig.places.apply('bars-of-moscow', { put, remove: [] });
}

async function listed(request: Request, placeId?: string) {
  const { status, body } = await rig.list(placeId, request);
  return status === 200 ? (body as { cardNumber: string }[]).map(({ cardNumber }) => cardNumber) : body;
}

/** The same request as gateways may pass it on: all of them decode `rawPath` once. */
const passedOn: [gateway: string, (decoded: string, parameter: string) => Request][] = [
  [
    'chooses the route before it decodes the path',
    (decoded, placeId) => ({ rawPath: `/partner/api/place/${decoded}/checkins`, path: { placeId } }),
  ],
  [
    'decodes the path before it chooses the route',
    (decoded, rest) => ({
      rawPath: `/partner/api/place/${decoded}/checkins`,
      path: { proxy: `${rest}/checkins` },
    }),
  ],
];

test.each(passedOn)('rule 53: a gateway that %s finds itemIds with a slash', async (_how, requestOf) => {
  const itemIds = ['12/3', '/12', '12/', 'a//b', 'p1/checkins', 'п/1 №2', 'a\nb/c', '../p1', '%', '100%25/2'];
  await storePlaces(...itemIds);
  for (const itemId of itemIds) await rig.opened(`card of ${itemId}`, itemId);
  for (const itemId of itemIds)
    expect(await listed(requestOf(itemId, itemId))).toEqual([`card of ${itemId}`]);
});

test.each(passedOn)(
  'rule 53: a gateway that %s, and decodes parameters twice, shows no place for another',
  async (_how, requestOf) => {
    await storePlaces('12/3', '12%2F3');
    await rig.opened('card of the slash', '12/3');
    await rig.opened('card of the percent sign', '12%2F3');
    // The path was sent as 12%252F3.
    const request = requestOf('12%2F3', '12/3');
    expect(await listed(request)).toEqual(['card of the percent sign']);
    const limitedTo = (placeId: string) => ({
      ...request,
      partner: { ...bars, role: 'cash-desk' as const, places: packPlaces([placeId]) },
    });
    expect(await listed(limitedTo('12%2F3'))).toEqual(['card of the percent sign']);
    expect(await listed(limitedTo('12/3'))).toMatchObject({ status: 'PLACE_FORBIDDEN' });
  },
);

test('rule 53: the query carries what no path can, and - alone is itself an itemId', async () => {
  const itemIds = ['a?b', '#', '..', ' x ', 'p1?placeId=p2', '-'];
  await storePlaces(...itemIds);
  for (const itemId of itemIds) await rig.opened(`card of ${itemId}`, itemId);
  for (const placeId of itemIds)
    expect(await listed({ query: { placeId } }, '-')).toEqual([`card of ${placeId}`]);
  expect(await listed({}, '-')).toEqual(['card of -']);
});

test('rule 53: a key with places is judged by the place in the query', async () => {
  await storePlaces('a?b', '-');
  const partner = { ...bars, role: 'cash-desk' as const, places: packPlaces(['-']) };
  expect(await listed({ partner }, '-')).toEqual([]);
  const sentence = 'placeId: this key is limited to other service points';
  expect(await rig.list('-', { partner, query: { placeId: 'a?b' } })).toMatchObject(
    refusal(403, 'PLACE_FORBIDDEN', sentence),
  );
});

const elsewhere = 'an itemId that no path can carry goes to /partner/api/place/-/checkins?placeId=';

test.each([
  [
    'placeId beside another path',
    { query: { placeId: 'p1' } },
    400,
    `placeId: is in the path and in the query, ${elsewhere}`,
  ],
  [
    'an empty placeId',
    { rawPath: '/partner/api/place/-/checkins', query: { placeId: '' } },
    400,
    'placeId: must not be empty',
  ],
  [
    'a path that an encoded ? has cut',
    { rawPath: '/partner/api/place/a' },
    404,
    `path: must end in /checkins, ${elsewhere}`,
  ],
])('rule 53: %s is refused with a sentence', async (_what, request, status, sentence) => {
  expect(await rig.list('p1', request)).toMatchObject({ status, body: { errors: [sentence] } });
});
