import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonCaller } from '../../local/engines/json-call.ts';
import { type Reply, request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { fast, type RunningTests, sharedService } from '../support/shared-service.ts';

let service: RunningTests;
beforeAll(async () => {
  // A list that fails is tried 20 times, and here each try follows the last one at once.
  service = await sharedService(fast);
});
afterAll(() => service.stop());

test('a list that fails every time ends with one error, and its session finishes', async () => {
  const { sqs, queues, partnerId, offerId } = service.endpoints;
  const list = {
    partnerId,
    offerId,
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
    MessageGroupId: offerId,
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
