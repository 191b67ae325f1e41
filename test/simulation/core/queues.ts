import type { ReceivedMessage } from '../../../local/queues/queue-client.ts';
import { type QueueModel, readableQueueName } from '../../../local/template/service-model.ts';
import type { Calls } from './calls.ts';
import { physics } from './physics.ts';
import type { RunParts } from './run-parts.ts';
import { asTheSdk } from './sdk.ts';

type Entry = {
  Id?: string;
  MessageBody: string;
  DelaySeconds?: number;
  MessageGroupId?: string;
  MessageDeduplicationId?: string;
};

/** `SendMessageCommand` or `SendMessageBatchCommand`. */
export type SendCommand = { input: Entry & { Entries?: readonly Entry[] } };

export type VisibilityCommand = {
  input: { ReceiptHandle: string; VisibilityTimeout: number };
};

type Message = {
  id: string;
  entry: Entry;
  sentAt: number;
  visibleAt: number;
  receives: number;
  /** The handle of the last delivery. An older one cannot delete the message. */
  receipt: string;
};

type Parts = RunParts & { call: Calls };

const dedupMs = 5 * 60_000;

function throttled(): Error {
  return Object.assign(new Error('throttled'), { name: 'RequestThrottled' });
}
/**
 * Says what SQS refuses in an entry.
 * docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatchRequestEntry.html
 */
function refusalOf(entry: Entry, isFifo: boolean): string | undefined {
  const { Id = '0', MessageBody, DelaySeconds = 0 } = entry;
  const { MessageGroupId = '0', MessageDeduplicationId = '0' } = entry;
  if (/^$|[\ufffe\uffff]/.test(MessageBody)) return 'its body';
  if (!/^[\w-]{1,80}$/.test(Id)) return `its id ${Id}`;
  if (!Number.isInteger(DelaySeconds) || DelaySeconds < 0 || DelaySeconds > (isFifo ? 0 : 900))
    return `its delay of ${DelaySeconds} s`;
  if ([MessageGroupId, MessageDeduplicationId].some((id) => !/^[\x21-\x7e]{1,128}$/.test(id)))
    return 'its group or its deduplication id';
  return isFifo && entry.MessageGroupId === undefined ? 'that it has no group' : undefined;
}

/** Simulates one queue of the template, standard or FIFO: visibility, delays, redelivery and dead letters. */
function createQueue(model: QueueModel, parts: Parts, moveTo: (name: string, message: Message) => void) {
  const { time, rng, faults, log } = parts;
  const { name, visibilityTimeoutSeconds, attributes } = model;
  const fifo = attributes['FifoQueue'] === 'true';
  const redrive = attributes['RedrivePolicy'] ? JSON.parse(attributes['RedrivePolicy']) : undefined;
  const maxReceives: number = redrive?.maxReceiveCount ?? 1;
  const dlq: string | undefined = redrive?.deadLetterTargetArn.split(':').at(-1);
  const messages: Message[] = [];
  const sent = new Map<string, number>();

  const wakeAt = (atMs: number) => time.at(atMs, () => queue.onVisible());
  const put = (message: Message): void => {
    queue.onTaken(message.entry.MessageBody);
    messages.push(message);
    wakeAt(message.visibleAt);
  };

  const isHidden = ({ visibleAt }: Message): boolean => visibleAt > time.now();

  /** Returns the messages that may be delivered now. A FIFO group has none while one of its messages is in flight. */
  const deliverable = (): Message[] => {
    if (!fifo) return messages.filter((message) => !isHidden(message));
    const blocked = new Set(messages.filter(isHidden).map(({ entry }) => entry.MessageGroupId));
    return messages.filter(({ entry }) => !blocked.has(entry.MessageGroupId));
  };

  const take = (message: Message): ReceivedMessage => {
    message.receives += 1;
    message.receipt = `${message.id} ${message.receives}`;
    const again = !fifo && faults.happens('deliveredTwice');
    if (again) log.add(`${name}: ${message.id} is delivered twice`);
    message.visibleAt = time.now() + (again ? rng.between(1, 3_000) : visibilityTimeoutSeconds * 1_000);
    wakeAt(message.visibleAt);
    const { MessageBody, MessageGroupId = '', MessageDeduplicationId = '' } = message.entry;
    return {
      MessageId: message.id,
      ReceiptHandle: message.receipt,
      Body: MessageBody,
      MD5OfBody: '',
      Attributes: {
        ApproximateReceiveCount: String(message.receives),
        SentTimestamp: String(message.sentAt),
        ...(fifo ? { MessageGroupId, MessageDeduplicationId } : {}),
      },
    };
  };

  const moveDeadLetters = (): void => {
    for (const message of deliverable()) {
      if (!dlq || message.receives < maxReceives) continue;
      messages.splice(messages.indexOf(message), 1);
      log.add(`${name}: ${message.id} goes to ${dlq}`);
      // The function of the dead-letter queue may get it after this queue has delivered the messages that follow it.
      const visibleAt = time.now() + rng.between(0, 30_000);
      moveTo(dlq, { ...message, visibleAt, receives: 0, receipt: '' });
    }
  };

  const remove = ({ ReceiptHandle }: ReceivedMessage): void => {
    const index = messages.findIndex(({ receipt }) => receipt === ReceiptHandle);
    // The queue may lose a deletion. Then the message comes again.
    if (index >= 0 && !faults.happens('deliveredTwice')) messages.splice(index, 1);
    if (fifo) wakeAt(time.now());
  };

  /** Delivers up to `most` messages a few times to functions that are killed before they begin. */
  const deliverInVain = (most: number): void => {
    const times = Math.min(maxReceives, rng.between(1, 2 * maxReceives));
    for (const message of deliverable().slice(0, rng.between(1, most + 1))) {
      message.receives += times;
      queue.onDeliveredInVain(message.entry.MessageBody);
    }
  };

  const queue = {
    name,
    isFifo: fifo,
    readableName: readableQueueName(model),
    receive: async (count: number) => {
      if (faults.happens(fifo ? 'listDeliveredInVain' : 'deliveredInVain')) deliverInVain(count);
      moveDeadLetters();
      const ready = deliverable();
      const chosen: Message[] = [];
      while (ready.length > 0 && chosen.length < count)
        chosen.push(...ready.splice(fifo ? 0 : rng.between(0, ready.length), 1));
      return chosen.map(take);
    },
    remove: async (some: readonly ReceivedMessage[]) => some.forEach(remove),
    // A failed message comes back when its visibility timeout ends, unless the function has changed that.
    hide: async () => {},
    changeVisibility: (receiptHandle: string, seconds: number): void => {
      const message = messages.find(({ receipt }) => receipt === receiptHandle);
      if (!message) return;
      message.visibleAt = time.now() + seconds * 1_000;
      wakeAt(message.visibleAt);
    },
    /** `onVisible` is called when a message may have become visible, `onTaken` with each message that comes in. */
    onVisible: (): void => {},
    onTaken: (_body: string): void => {},
    /** Called with each message that was delivered to functions that were killed before they began. */
    onDeliveredInVain: (_body: string): void => {},
    add: (entry: Entry): void => {
      const dedup = entry.MessageDeduplicationId && `${entry.MessageGroupId} ${entry.MessageDeduplicationId}`;
      const sentAt = time.now();
      if (fifo && dedup) {
        if (sentAt - (sent.get(dedup) ?? Number.NEGATIVE_INFINITY) < dedupMs) return;
        sent.set(dedup, sentAt);
      }
      const late = !fifo && faults.happens('deliveredLate') ? rng.between(1_000, 300_000) : 0;
      const visibleAt = sentAt + (entry.DelaySeconds ?? 0) * 1_000 + late;
      const id = `${name}-${rng.bytes(6).toString('hex')}`;
      put({ id, entry, sentAt, visibleAt, receives: 0, receipt: '' });
    },
    put,
    isReady: () => (fifo ? deliverable().length > 0 : messages.some((message) => !isHidden(message))),
    ready: () => deliverable().length,
    size: () => messages.length,
    /** Removes and returns all messages, as an operator does with dead letters. */
    empty: (): readonly Entry[] => messages.splice(0).map(({ entry }) => ({ ...entry, DelaySeconds: 0 })),
  };
  return queue;
}

export type SimulatedQueue = ReturnType<typeof createQueue>;

export function createQueues(models: readonly QueueModel[], parts: Parts) {
  const { call, faults, time } = parts;
  const all: readonly SimulatedQueue[] = models.map((model) =>
    createQueue(model, parts, (to, message) => queue(to).put(message)),
  );
  const queue = (name: string): SimulatedQueue => {
    const found = all.find((one) => one.name === name || one.readableName === name);
    if (!found) throw new Error(`the templates have no queue ${name}`);
    return found;
  };

  /** Until when the message of a list is not taken, by its deduplication id. */
  const notTakenUntil = new Map<string, number>();
  const isNotTaken = ({ MessageDeduplicationId: id }: Entry): boolean => {
    if (id === undefined) return false;
    const until = notTakenUntil.get(id) ?? (faults.happens('listNotTaken') ? time.now() + 40_000 : 0);
    notTakenUntil.set(id, until);
    return time.now() < until;
  };

  return {
    all,
    /** Finds a queue by its name, or by the part of it that people read. */
    queue,
    /** Makes a message visible again after the given number of seconds. */
    changeVisibility: (name: string, { input }: VisibilityCommand) =>
      call({
        what: `show a message of ${name} in ${input.VisibilityTimeout} s`,
        to: 'queues',
        throttled,
        make: () => queue(name).changeVisibility(input.ReceiptHandle, input.VisibilityTimeout),
      }),
    /** Sends one message, or a batch that may be taken only in part. */
    send: (name: string, { input }: SendCommand) => {
      const { Entries } = input;
      const inPart = Entries !== undefined && faults.happens('batchInPart');
      const taken = Entries ?? [input];
      const most = inPart ? Math.floor(taken.length / 2) : taken.length;
      const kept = taken.some(isNotTaken) ? [] : taken.slice(0, most);
      const bytes = taken.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0);
      return asTheSdk(parts, (isRefused) =>
        call({
          what: `send ${kept.length} to ${name}${kept.length < taken.length ? ` of ${taken.length}` : ''}`,
          to: 'queues',
          isOftenLast: queue(name).isFifo,
          isRefused,
          throttled,
          make: async () => {
            if (new Set(taken.map(({ Id }) => Id)).size < taken.length)
              throw new Error('two entries share an id');
            for (const entry of taken) {
              const refused = refusalOf(entry, queue(name).isFifo);
              if (refused !== undefined) throw new Error(`${name} refuses an entry for ${refused}`);
            }
            if (taken.length > 10) throw new Error('a batch has 10 entries at most');
            if (bytes > physics.queueBytes) throw new Error(`${bytes} bytes are too much for a queue`);
            for (const entry of kept) queue(name).add(entry);
            return { Failed: taken.slice(kept.length).map(({ Id }) => ({ Id })) };
          },
        }),
      );
    },
  };
}

export type QueueModels = ReturnType<typeof createQueues>;
