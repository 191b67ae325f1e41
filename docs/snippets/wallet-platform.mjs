import { setTimeout as wait } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';

const {
  PUSH_OUTBOX_URL: outbox,
  PUSH_CANCELLATIONS_URL: cancellations,
  DELIVERY_RECEIPTS_URL: receipts,
} = process.env;
if (!outbox || !cancellations || !receipts) {
  console.error(
    'The environment must hold PUSH_OUTBOX_URL, PUSH_CANCELLATIONS_URL and DELIVERY_RECEIPTS_URL, a region and credentials.',
  );
  process.exit(2);
}
const sqs = new SQSClient({});
const stopping = new AbortController();

/** What is stored by messageId. Yours is a database: it must survive a restart. */
const stored = new Map();

/** When each id was cancelled. Forget it after 18 days: it may come before its message. */
const cancelled = new Map();

/** What devices reported and the queue has not taken yet. In your database, too. */
const reported = [];

function report({ messageId, msisdn }, state) {
  reported.push({ messageId, msisdn, state, time: new Date().toISOString() });
}

/** Your devices would report later, and OPENED as well. */
function show(message) {
  report(message, 'DELIVERED');
}

/** Yours asks the device to remove it. What was opened stays, and is not reported as CANCELLED. */
function remove(message) {
  if (!message.opened) report(message, 'CANCELLED');
}

/** Whether a message must not be shown any more. Ask again where it waits for its device. */
function isOver({ qos }) {
  return Date.parse(qos?.deliverDue) <= Date.now();
}

/** Stores and shows what is new: a message may be received again, then nothing is. What is over is not reported. */
function handleMessages({ messages, ...content }) {
  let dropped = 0;
  for (const { messageId, msisdn } of messages) {
    if (stored.has(messageId)) continue;
    const isDropped = !cancelled.has(messageId) && isOver(content);
    stored.set(messageId, { ...content, messageId, msisdn, isDropped });
    if (isDropped) dropped += 1;
    else if (cancelled.has(messageId)) report({ messageId, msisdn }, 'CANCELLED');
    else show({ messageId, msisdn });
  }
  if (dropped > 0) console.log(`${dropped} messages dropped after their deadline`);
}

/** Takes messages back, each once, also those that have not come yet: then it reports them when they come. */
function handleCancellations({ messageIds }) {
  for (const messageId of messageIds) {
    if (cancelled.has(messageId)) continue;
    cancelled.set(messageId, Date.now());
    const message = stored.get(messageId);
    if (message && !message.isDropped) remove(message);
  }
}

/** Sends the entries of a batch, and those again that SQS reports as failed, each time after a longer pause. */
async function inFull(entries, send) {
  let left = entries;
  for (let tries = 1; left.length > 0; tries++) {
    const { Failed = [] } = await send(left);
    const failed = new Set(Failed.map(({ Id }) => Id));
    left = left.filter(({ Id }) => failed.has(Id));
    if (left.length > 0 && tries === 5) throw new Error(`SQS failed 5 times: ${Failed[0].Message}`);
    if (left.length > 0) await wait(100 * 2 ** tries);
  }
}

async function receive(queue, handle) {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl: queue, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 }),
    { abortSignal: stopping.signal },
  );
  const handled = [];
  for (const { MessageId, Body, ReceiptHandle } of Messages) {
    try {
      handle(JSON.parse(Body));
      handled.push({ Id: `${handled.length}`, ReceiptHandle });
    } catch (error) {
      // It comes again after 3 minutes, five times in all: raise an alarm.
      console.error(`message ${MessageId} of ${queue.split('/').at(-1)} was not stored`, error);
    }
  }
  await inFull(handled, (Entries) => sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queue, Entries })));
}

/** At most 500 receipts a message and 10 messages a batch. They leave `reported` when the queue has taken them. */
async function sendReports() {
  while (reported.length > 0) {
    const some = reported.slice(0, 5_000);
    const entries = [];
    for (let n = 0; n < some.length; n += 500)
      entries.push({ Id: `${n}`, MessageBody: JSON.stringify({ receipts: some.slice(n, n + 500) }) });
    await inFull(entries, (Entries) =>
      sqs.send(new SendMessageBatchCommand({ QueueUrl: receipts, Entries })),
    );
    reported.splice(0, some.length);
    console.log(`${some.length} receipts sent, ${stored.size} messages stored`);
  }
}

/** Repeats a step until the process is stopped. */
async function repeat(step) {
  while (!stopping.signal.aborted) {
    try {
      await step();
    } catch (error) {
      if (stopping.signal.aborted) break;
      console.error(error);
      await wait(1_000);
    }
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());
await Promise.all([
  repeat(() => receive(outbox, handleMessages)),
  repeat(() => receive(cancellations, handleCancellations)),
  repeat(() => sendReports().then(() => wait(200))),
]);
await sendReports();
