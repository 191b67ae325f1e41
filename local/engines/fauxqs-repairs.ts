import type { DatabaseSync } from 'node:sqlite';
import type { BuildAppOptions } from 'fauxqs';

type Stores = NonNullable<BuildAppOptions['stores']>;
type SqsStore = Stores['sqsStore'];
type Persistence = NonNullable<SqsStore['persistence']>;
type Queue = ReturnType<SqsStore['createQueue']>;

/** Classes that fauxqs does not export. */
type FauxqsParts = {
  SqsQueue: { prototype: Queue };
  SqsStore: new () => SqsStore;
  SnsStore: new () => Stores['snsStore'];
  S3Store: new () => Stores['s3Store'];
  PersistenceManager: new (folder: string) => Persistence;
};

async function loadParts(): Promise<FauxqsParts> {
  const files = ['sqs/sqsStore.js', 'sns/snsStore.js', 's3/s3Store.js', 'persistence.js'];
  const root = import.meta.resolve('fauxqs');
  const modules = await Promise.all(files.map((file) => import(new URL(file, root).href)));
  return Object.assign({}, ...modules);
}

function repairQueues(prototype: Queue): void {
  const { enqueue } = prototype;
  // A dead-letter queue counts its own receives, because it may have a redrive policy of its own.
  prototype.enqueue = function (this: Queue, message) {
    message.approximateReceiveCount = 0;
    delete message.approximateFirstReceiveTimestamp;
    enqueue.call(this, message);
  };
}

function repairPersistence(persistence: Persistence): void {
  const db: DatabaseSync = persistence['db'];
  // Do not wait for the disk at every message, which costs milliseconds: a crash of the process loses nothing.
  db.exec('PRAGMA synchronous = NORMAL');
  // fauxqs writes NULL into a NOT NULL column here, which loses a message whose visibility timeout is set to 0.
  const makeReady = db.prepare(
    'UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?',
  );
  persistence.updateMessageReady = (messageId) => {
    makeReady.run(messageId);
  };
  // The consumers ended with the last run, so their messages become visible now, not after their visibility timeout.
  db.exec('UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL');
}

/**
 * Opens the stores of fauxqs with their data in `folder`, and repairs them. `startFauxqs` would open them too, but it
 * listens on every network interface, and this service must be reached from this machine only.
 */
export async function openRepairedStores(folder: string): Promise<{ stores: Stores; close(): void }> {
  const { SqsQueue, SqsStore, SnsStore, S3Store, PersistenceManager } = await loadParts();
  repairQueues(SqsQueue.prototype);
  const stores: Stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  const persistence = new PersistenceManager(folder);
  repairPersistence(persistence);
  // Load before connecting the persistence, which would write every row again.
  persistence.loadSqsAndSns(stores.sqsStore, stores.snsStore);
  Object.assign(stores.sqsStore, { persistence });
  for (const queue of stores.sqsStore.allQueues()) Object.assign(queue, { persistence });
  return { stores, close: () => persistence.close() };
}
