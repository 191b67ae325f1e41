import createClient from 'openapi-fetch';
import type { paths } from './generated/api.d.ts';

type Access = { baseUrl: string; authorization: string; offerId: string };
type Answer<Data> = {
  data?: Data;
  error?: unknown;
  response: { status: number };
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

/** Calls some operations as a partner's code would, whose types are thus checked. Returns the routes that it called. */
export async function callInOrder({ baseUrl, authorization, offerId }: Access): Promise<string[]> {
  const called: string[] = [];
  const client = createClient<paths>({ baseUrl, headers: { authorization } });
  client.use({
    onRequest: ({ request, schemaPath }) => {
      called.push(`${request.method} ${schemaPath}`);
    },
  });
  const header = { offerId };
  const placeId = '000069302';

  const place = { itemId: placeId, placeInfo: { address: 'Кузнецкий мост, 1' } };
  const { sessionId } = given(
    await client.POST('/places/sync', { params: { header }, body: { places: [place], dryRun: false } }),
  );
  const session = async () =>
    given(await client.GET('/places/sync/{sessionId}', { params: { header, path: { sessionId } } }));
  const deadline = Date.now() + 30_000;
  while ((await session()).status !== 'FINISHED')
    if (Date.now() > deadline) throw new Error('the session goes on');

  const cardNumber = '9643907500000012';
  given(await client.POST('/wallet/check-ins', { body: { offerId, placeId, cardNumber } }));
  const [checkIn] = given(
    await client.GET('/partner/api/place/{placeId}/checkins', { params: { header, path: { placeId } } }),
  );
  const params = { header: { ...header, 'Idempotency-Key': 'order-4711' } };
  const body = { checkinNumber: checkIn?.checkinNumber ?? 0 };
  given(await client.POST('/partner/api/checkin/register', { params, body }));

  const content = { pushType: 'SERVICE' as const, payload: { title: 'Ваш заказ', message: 'Он готов' } };
  const msisdn = 79001234567;
  const { messageId } = given(await client.POST('/push/delivery', { body: { ...content, msisdn } }));
  // Only the response to a dry run has no id.
  if (messageId === undefined) throw new Error('the send has no messageId');
  given(await client.GET('/push/{messageId}/transactional-state', { params: { path: { messageId } } }));
  return [...new Set(called)];
}

function given<Data>({ data, error, response }: Answer<Data>): Data {
  if (data === undefined) throw new Error(`answered ${response.status}: ${JSON.stringify(error)}`);
  return data;
}
