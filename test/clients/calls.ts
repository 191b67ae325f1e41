import createClient from 'openapi-fetch';
import type { paths } from './generated/api.d.ts';

type Access = { baseUrl: string; authorization: string; offerId: string };
type Answer<Data> = {
  data?: Data;
  error?: unknown;
  response: { status: number; headers: { get(name: string): string | null } };
};

/** The route of an operation, such as `GET /promos`, and the request in its sample event. */
type Sample = { route: string; path?: object; query?: object; header?: object; body?: unknown };

/** Calls an operation with its sample through the same client. Returns the status of the response. */
export async function callWithSample(access: Access, { route, body, ...params }: Sample): Promise<number> {
  const [method = '', path = ''] = route.split(' ');
  const client = createClient<paths>({
    baseUrl: access.baseUrl,
    headers: { authorization: access.authorization },
  });
  // The types only know literal routes, but a sample comes from a file.
  const init = { params, body } as never;
  const { response } = await client.request(method.toLowerCase() as 'get', path as '/promos', init);
  return response.status;
}

/** Calls the operations in an order in which they succeed. Returns the routes that it called. */
export async function callInOrder({ baseUrl, authorization, offerId }: Access): Promise<string[]> {
  const called: string[] = [];
  const client = createClient<paths>({ baseUrl, headers: { authorization } });
  client.use({
    onRequest: ({ request, schemaPath }) => {
      called.push(`${request.method} ${schemaPath}`);
    },
  });
  const header = { offerId };

  const place = { itemId: '000069302', placeInfo: { address: 'Кузнецкий мост, 1' } };
  const { sessionId } = given(
    await client.POST('/places/sync', { params: { header }, body: { places: [place], dryRun: false } }),
  );
  const session = async () =>
    given(await client.GET('/places/sync/{sessionId}', { params: { header, path: { sessionId } } }));
  const deadline = Date.now() + 30_000;
  while ((await session()).status !== 'FINISHED')
    if (Date.now() > deadline) throw new Error('the session goes on');

  const placeId = place.itemId;
  const cardNumber = '9643907500000012';
  given(await client.POST('/wallet/check-ins', { body: { offerId, placeId, cardNumber } }));
  const [checkIn] = given(
    await client.GET('/partner/api/place/{placeId}/checkins', { params: { header, path: { placeId } } }),
  );
  const checkinNumber = checkIn?.checkinNumber ?? 0;
  const redeem = () =>
    client.POST('/partner/api/checkin/register', {
      params: { header: { ...header, 'Idempotency-Key': 'order-4711' } },
      body: { checkinNumber },
    });
  given(await redeem());
  const again = await redeem();
  if (
    given(again).checkinNumber !== checkinNumber ||
    again.response.headers.get('idempotent-replayed') !== 'true'
  )
    throw new Error('the check-in was not redeemed once');
  given(
    await client.GET('/wallet/offers/{offerId}/places', {
      params: { path: { offerId }, query: { limit: 5 } },
    }),
  );

  const msisdn = 79001234567;
  given(await client.PUT('/wallet/recipients', { body: { registered: [msisdn], unregistered: [] } }));
  const content = {
    pushType: 'SERVICE' as const,
    payload: { title: 'Ваш заказ готов', message: 'Заберите его на кассе' },
  };
  const { messageId } = given(await client.POST('/push/delivery', { body: { ...content, msisdn } }));
  // Only the response to a dry run has no id.
  if (messageId === undefined) throw new Error('the send has no messageId');
  given(await client.GET('/push/{messageId}/transactional-state', { params: { path: { messageId } } }));
  given(await client.POST('/push/bulk/single', { body: { ...content, msisdn: [msisdn] } }));
  given(await client.POST('/bulk/single', { body: { ...content, msisdn: [msisdn] } }));
  given(await client.POST('/push/bulk/multi', { body: [{ ...content, msisdn }] }));
  given(await client.POST('/bulk/multi', { body: [{ ...content, msisdn }] }));

  const startDate = '2026-05-01T00:00:00+03';
  const { promoId } = given(
    await client.POST('/promo/v1/create', { body: { name: 'Два по цене одного', startDate } }),
  );
  given(await client.POST('/promo/v1/update', { body: { promoId, discount: '30 %' } }));
  given(await client.GET('/promo/v1/details', { params: { query: { promoId } } }));
  given(await client.GET('/promo/v1/all', { params: { query: { activeOnly: true } } }));
  given(await client.GET('/promos'));
  given(await client.GET('/wallet/offers/{offerId}/promos', { params: { path: { offerId } } }));
  return [...new Set(called)];
}

function given<Data>({ data, error, response }: Answer<Data>): Data {
  if (data === undefined) throw new Error(`answered ${response.status}: ${JSON.stringify(error)}`);
  return data;
}
