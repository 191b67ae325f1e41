import type { DatabaseSync } from 'node:sqlite';
import type { BuildAppOptions } from 'fauxqs';

type Stores = NonNullable<BuildAppOptions['stores']>;
type SqsStore = Stores['sqsStore'];
type Persistence = NonNullable<SqsStore['persistence']>;
type Queue = ReturnType<SqsStore['createQueue']>;

/** What fauxqs does not export. */
interface FauxqsParts {
  readonly SqsQueue: { readonly prototype: Queue };
  readonly SqsStore: new () => SqsStore;
  readonly SnsStore: new () => Stores['snsStore'];
  readonly S3Store: new () => Stores['s3Store'];
  readonly PersistenceManager: new (folder: string) => Persistence;
}

async function loadParts(): Promise<FauxqsParts> {
  const files = ['sqs/sqsStore.js', 'sns/snsStore.js', 's3/s3Store.js', 'persistence.js'];
  const root = import.meta.resolve('fauxqs');
  const modules = await Promise.all(files.map((file) => import(new URL(file, root).href)));
  return Object.assign({}, ...modules);
}

/** Messages of a group that become visible again go to its front one by one, which reverses their order. */
function restoreOrder(queue: Queue): void {
  for (const messages of queue.fifoMessages.values()) {
    messages.sort((a, b) => ((a.sequenceNumber ?? '') < (b.sequenceNumber ?? '') ? -1 : 1));
  }
}

/**
 * In SQS one receive may give several messages of a group. `take` gives one message a group and locks the group, so
 * it is repeated, and ignores the locks that this receive made itself; locks of other receives count.
 */
function takeSeveralPerGroup(queue: Queue, maxCount: number, take: (count: number) => unknown[]): unknown[] {
  const lockedByOthers = queue.fifoLockedGroups;
  const lockedByThis = new Map<string, number>();
  const taken: unknown[] = [];
  for (;;) {
    queue.fifoLockedGroups = new Map(lockedByOthers);
    const round = take(maxCount - taken.length);
    for (const [group, count] of queue.fifoLockedGroups) {
      if (!lockedByOthers.has(group)) lockedByThis.set(group, (lockedByThis.get(group) ?? 0) + count);
    }
    taken.push(...round);
    if (round.length === 0 || taken.length >= maxCount) break;
  }
  queue.fifoLockedGroups = new Map([...lockedByOthers, ...lockedByThis]);
  return taken;
}

function repairQueues(prototype: Queue): void {
  const { enqueue, processTimers } = prototype;
  const dequeueFifo = prototype['dequeueFifo'];

  prototype['dequeueFifo'] = function (this: Queue, maxCount: number, ...rest: unknown[]) {
    processTimers.call(this);
    restoreOrder(this);
    // Timers that fire between two rounds would change locks that are put back afterwards.
    this.processTimers = () => undefined;
    try {
      return takeSeveralPerGroup(this, Math.min(maxCount, 10), (count) =>
        dequeueFifo.call(this, count, ...rest),
      );
    } finally {
      this.processTimers = processTimers;
    }
  };

  // Receives from a queue do not count in its dead-letter queue, which may have a redrive policy of its own.
  prototype.enqueue = function (this: Queue, message) {
    message.approximateReceiveCount = 0;
    delete message.approximateFirstReceiveTimestamp;
    enqueue.call(this, message);
  };
}

function repairPersistence(persistence: Persistence): void {
  const db: DatabaseSync = persistence['db'];
  // A crash of this process loses nothing without it; waiting for the disk at every message costs milliseconds.
  db.exec('PRAGMA synchronous = NORMAL');
  // fauxqs writes NULL into a NOT NULL column here, which loses a message whose visibility timeout is set to 0.
  const makeReady = db.prepare(
    'UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?',
  );
  persistence.updateMessageReady = (messageId) => {
    makeReady.run(messageId);
  };
  // Consumers ended with the last run: their messages are visible at once, not after their visibility timeout.
  db.exec('UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL');
}

/**
 * The stores of fauxqs with what they had in `folder`, repaired. `startFauxqs` would open them too, but it listens on
 * every network interface, and this service must be reached from this machine only.
 */
export async function openRepairedStores(folder: string): Promise<{ stores: Stores; close(): void }> {
  const { SqsQueue, SqsStore, SnsStore, S3Store, PersistenceManager } = await loadParts();
  repairQueues(SqsQueue.prototype);
  const stores: Stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  const persistence = new PersistenceManager(folder);
  repairPersistence(persistence);
  // Loaded before it is connected: loading would otherwise write every row again.
  persistence.loadSqsAndSns(stores.sqsStore, stores.snsStore);
  Object.assign(stores.sqsStore, { persistence });
  for (const queue of stores.sqsStore.allQueues()) Object.assign(queue, { persistence });
  return { stores, close: () => persistence.close() };
}
