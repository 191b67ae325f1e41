import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonCaller } from '../../local/engines/json-call.ts';
import { type Reply, request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { finishedSession } from '../support/service.ts';
import { fast, type RunningTests, sharedService } from '../support/shared-service.ts';

let service: RunningTests;
beforeAll(async () => {
  // A list that fails is tried 20 times, and here each try follows the last one at once.
  service = await sharedService(fast);
});
afterAll(() => service.stop());

function point(itemId: string, name: string) {
  return { itemId, placeInfo: { name, address: 'Тверская улица' } };
}

async function walletPlaces(offerId: string): Promise<string[]> {
  const names: string[] = [];
  let cursor = '';
  do {
    const page = await request(service.wallet, `GET /wallet/offers/${offerId}/places?limit=500${cursor}`);
    const body = page.body as { places: { itemId: string; placeInfo: { name: string } }[]; cursor?: string };
    names.push(...body.places.map(({ itemId, placeInfo }) => `${itemId} ${placeInfo.name}`));
    cursor = body.cursor ? `&cursor=${body.cursor}` : '';
  } while (cursor !== '');
  return names;
}

test('rule 11: lists of one offer sent at once take effect one after the other, whole', async () => {
  const lists = ['one', 'two', 'three', 'four'].map((name) =>
    Array.from({ length: 1_100 }, (_, n) => point(`p${n % (name === 'four' ? 300 : 1_100)}-${n}`, name)),
  );
  const started = await Promise.all(
    lists.map((places) => request(service.other, 'POST /places/sync', { places, confirmRemovals: true })),
  );
  expect(started.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await Promise.all(started.map((reply) => finishedSession(service.other, reply)));
  const stored = await walletPlaces(service.other.offerId ?? '');
  // Only points of the list that was processed last are left.
  expect(new Set(stored.map((name) => name.split(' ')[1])).size).toBe(1);
  expect(stored).toHaveLength(1_100);
});

test.each(['application/octet-stream', 'application/json'])(
  'a list that is gzipped and declared as %s is taken through the gateway',
  async (contentType) => {
    const response = await fetch(`${service.partner.baseUrl}/places/sync`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${service.other.login}:${service.other.secret}`).toString('base64')}`,
        offerId: `${service.other.offerId}`,
        'content-type': contentType,
        'content-encoding': 'gzip',
      },
      body: gzipSync(JSON.stringify({ places: [point('пекарня', 'Булочная')] })),
    });
    const reply = { status: response.status, headers: response.headers, body: await response.json() };
    const session = await finishedSession(service.other, reply);
    expect(session.counts).toMatchObject({ received: 1, rejected: 0 });
  },
);

test('a list that fails every time ends with one error, and its session finishes', async () => {
  const { sqs, queues } = service.endpoints;
  const list = {
    partnerId: service.endpoints.partnerId,
    offerId: service.partner.offerId ?? '',
    sessionId: 'broken',
    acceptedAt: Date.now(),
    received: 1,
    dryRun: false,
    confirmed: false,
    removalPercent: 50,
  };
  const message = {
    QueueUrl: queues['places-sync.fifo'],
    MessageBody: JSON.stringify({ ...list, content: 'no gzip' }),
    MessageGroupId: list.offerId,
    MessageDeduplicationId: list.sessionId,
  };
  await jsonCaller(sqs, 'sqs')('SendMessage', message);
  const ended = () => request(service.partner, 'GET /places/sync/broken');
  const isEnded = ({ body }: Reply) => (body as { status: string }).status === 'FINISHED';
  const { body } = await eventually('the end of the session', ended, { until: isEnded, timeoutSeconds: 60 });
  expect(body).toEqual({
    sessionId: 'broken',
    status: 'FINISHED',
    counts: { received: 1, added: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 },
    errors: [
      {
        place: {},
        description:
          'places: the list could not be processed, and a part of it may have been applied; send it again',
      },
    ],
    remarks: [],
  });
});
