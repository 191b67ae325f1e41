import { gzipSync } from 'node:zlib';
import type { SQSRecord } from 'aws-lambda';
import { endFailedSync } from '../../../functions/places/end-failed-sync.ts';
import { getSync } from '../../../functions/places/get-sync.ts';
import { processSync } from '../../../functions/places/process-sync.ts';
import { startSync } from '../../../functions/places/start-sync.ts';
import { listContentStore } from '../../../shared/places/list-message.ts';
import { placeStore } from '../../../shared/places/place.ts';
import { removalGuardStore } from '../../../shared/places/removal-guard.ts';
import { syncSessionStore } from '../../../shared/places/sync-session.ts';
import { parkedStore } from '../../../shared/platform/queues/parked-store.ts';
import { fakeClock } from '../../support/clock.ts';
import { call, forBars, type HttpResponse, type Request } from '../../support/http.ts';
import { fakeIds } from '../../support/ids.ts';
import { newFifoQueue, redelivered } from '../../support/queue.ts';
import { requestDeps } from '../../support/request-deps.ts';
import { newTable } from '../../support/table.ts';

export function place(itemId: string, name = itemId, address = `Street ${itemId}`) {
  return { itemId, placeInfo: { name, address } };
}

/** Sets up the functions of area A around one table and one queue; `work` stands in for the event source mapping. */
export async function syncRig() {
  const table = await newTable();
  const queue = await newFifoQueue();
  const clock = fakeClock();
  const contents = listContentStore(table);
  const sessions = syncSessionStore(table);
  const places = placeStore(table);
  const guard = removalGuardStore(table);
  const deps = { contents, sessions, places, guard, queue, ...requestDeps(table, clock), ids: fakeIds() };
  const handlers = {
    start: startSync(deps),
    get: getSync(deps),
    process: processSync(deps),
    endFailed: endFailedSync({ sessions, parked: parkedStore(table), clock }),
  };
  const send = (body: unknown, request: Request = {}): Promise<HttpResponse> =>
    call(handlers.start, { ...forBars, body, ...request });
  const sendGzipped = (body: object | string | Buffer) =>
    send(Buffer.isBuffer(body) ? body : gzipSync(typeof body === 'string' ? body : JSON.stringify(body)), {
      headers: { ...forBars.headers, 'content-encoding': 'gzip' },
    });
  const get = (sessionId: string, request: Request = {}): Promise<HttpResponse> =>
    call(handlers.get, { ...forBars, path: { sessionId }, ...request });
  /** Delivers the messages one after another, each with this receive count. */
  const deliver = async (records: readonly SQSRecord[], receiveCount = 1, handler = handlers.process) => {
    const failed: string[] = [];
    for (const record of records) {
      const { batchItemFailures } = await handler(redelivered([record], receiveCount));
      failed.push(...batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    }
    return failed;
  };
  const work = async () => deliver(await queue.drain());
  const stored = async (offerId = 'bars-of-moscow') =>
    (await places.page(offerId, 500)).places.map(({ itemId, placeInfo }) => [itemId, placeInfo.name]);
  const session = async (sessionId: string) => (await get(sessionId)).body as FinishedSession;
  /** Sends a list, processes it and returns the finished session. */
  const sync = async (list: unknown[], extra: Record<string, unknown> = {}) => {
    const { body } = await send({ places: list, ...extra });
    await work();
    return session((body as { sessionId: string }).sessionId);
  };
  return { ...deps, table, handlers, send, sendGzipped, get, deliver, work, stored, session, sync };
}

export type SyncRig = Awaited<ReturnType<typeof syncRig>>;

type FinishedSession = {
  sessionId: string;
  status: string;
  errors: { place: unknown; description: string }[];
  counts: Record<string, number>;
  warnings?: string[];
  changes?: { added?: string[]; removed?: string[]; updated?: { itemId: string; members: string[] }[] };
  remarks: { code: string; count: number; samples: { itemId?: string; description: string }[] }[];
};

/** The counts of a session, 0 where a test names none. */
export function counts(part: Record<string, number>) {
  return { received: 0, added: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0, ...part };
}
