import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { type BuildAppOptions, buildApp } from 'fauxqs';
import { type FauxqsQueue, followSqsRules } from './fauxqs-rules.ts';

type Stores = NonNullable<BuildAppOptions['stores']>;

interface Persistence {
  readonly db: DatabaseSync;
  updateMessageReady(messageId: string): void;
  loadSqsAndSns(sqsStore: unknown, snsStore: unknown): void;
  close(): void;
}

const { folder, region } = workerData as { folder: string; region: string };

// `startFauxqs` listens on every network interface; its parts, put together here, listen on loopback only. The
// package does not export them by name; the lockfile fixes the version they are taken from.
function part<Parts>(path: string): Promise<Parts> {
  return import(new URL(path, import.meta.resolve('fauxqs')).href);
}

const { SqsStore, SqsQueue } = await part<{
  SqsStore: new () => Stores['sqsStore'];
  SqsQueue: { prototype: FauxqsQueue };
}>('./sqs/sqsStore.js');
const { SnsStore } = await part<{ SnsStore: new () => Stores['snsStore'] }>('./sns/snsStore.js');
const { S3Store } = await part<{ S3Store: new () => Stores['s3Store'] }>('./s3/s3Store.js');
const { PersistenceManager } = await part<{ PersistenceManager: new (folder: string) => Persistence }>(
  './persistence.js',
);

followSqsRules(SqsQueue.prototype);

const stores: Stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
const persistence = new PersistenceManager(folder);
// A crash of this process loses nothing without it; waiting for the disk at every message costs milliseconds.
persistence.db.exec('PRAGMA synchronous = NORMAL');
// fauxqs 2.4 writes NULL into a NOT NULL column here: a visibility timeout changed to 0 lost the message.
const makeReady = persistence.db.prepare(
  'UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?',
);
persistence.updateMessageReady = (messageId) => {
  makeReady.run(messageId);
};
// Whoever held a message ended with the last run: it is there again at once, not after its visibility timeout.
persistence.db.exec('UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL');
// Loaded before it is connected: loading would otherwise write every row again.
persistence.loadSqsAndSns(stores.sqsStore, stores.snsStore);
Object.assign(stores.sqsStore, { persistence });
for (const queue of stores.sqsStore.allQueues()) Object.assign(queue, { persistence });

const app = buildApp({ logger: false, defaultRegion: region, stores });
app.addHook('onClose', (_instance, done) => {
  persistence.close();
  done();
});
const address = await app.listen({ port: 0, host: '127.0.0.1' });

parentPort?.on('message', async () => {
  await app.close();
  process.exit(0);
});
parentPort?.postMessage({ port: Number(new URL(address).port) });
