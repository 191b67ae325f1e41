import { expect, test } from 'vitest';
import { parkedStore } from '../../../shared/platform/queues/parked-store.ts';
import { NotAllSent, sendAll, sendOne } from '../../../shared/platform/queues/queue.ts';
import { noon } from '../../support/clock.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
import { newQueue } from '../../support/queue.ts';
import { newTable } from '../../support/table.ts';

test('any text of JSON arrives as it was, also with characters that SQS refuses', async () => {
  const queue = await newQueue();
  const text = 'я 😀 \uE000 \uFFFD \uFFFE \uFFFF \u0000 \u001f \u007f';
  const body = JSON.stringify({ text });
  await sendAll(queue, [{ body }]);
  await sendOne(queue, { body, group: 'bars', delaySeconds: 0 });
  const records = await queue.drain();
  expect(records.map((record) => JSON.parse(record.body))).toEqual([{ text }, { text }]);
});

test('many and large messages are cut into batches that the queue takes', async () => {
  const queue = await newQueue();
  const messages = Array.from({ length: 23 }, (_, n) => ({ body: JSON.stringify('x'.repeat(n * 20_000)) }));
  await sendAll(queue, messages);
  expect((await queue.drain()).map(({ body }) => body.length).sort((a, b) => a - b)).toEqual(
    messages.map(({ body }) => body.length),
  );
});

function numbered(count: number) {
  return Array.from({ length: count }, (_, n) => ({ body: JSON.stringify(n) }));
}

test('a queue that takes nothing is told with the positions of all that were not sent', async () => {
  const queue = await newQueue();
  const gone = { ...queue, url: `${queue.url}-gone` };
  const failure = await sendAll(gone, numbered(12)).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(NotAllSent);
  expect((failure as NotAllSent).unsent.toSorted((a, b) => a - b)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
  ]);
});

test('one batch that is not taken holds up no other', async () => {
  const queue = await newQueue();
  failingCommand(queue.client, ({ input }) => input.Entries?.some(({ Id }: { Id: string }) => Id === '10'));
  const failure = await sendAll(queue, numbered(30)).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(NotAllSent);
  expect((failure as NotAllSent).unsent).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  expect(await queue.drain()).toHaveLength(20);
});

test('a batch of which the queue refuses a message for good is not sent again', async () => {
  const queue = await newQueue();
  let calls = 0;
  interceptCalls(queue.client, async () => {
    calls += 1;
    return { Failed: [0, 1].map((Id) => ({ Id: String(Id), SenderFault: Id === 1 })) };
  });
  await expect(sendAll(queue, numbered(3))).rejects.toMatchObject({ unsent: [0, 1] });
  expect(calls).toBe(1);
});

test('a message of 200,000 letters is parked as far as a row takes it', async () => {
  const table = await newTable();
  const body = 'я'.repeat(200_000);
  await parkedStore(table).park({ queue: 'callbacks', id: '1', body }, 'not a callback message', noon);
  expect(await table.rows('PARKED#')).toMatchObject([{ body: body.slice(0, 90_000) }]);
});
