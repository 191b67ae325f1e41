import { endFailedSlice } from '../../../functions/places/end-failed-slice.ts';
import { getSync } from '../../../functions/places/get-sync.ts';
import { processSlice } from '../../../functions/places/process-slice.ts';
import { startSync } from '../../../functions/places/start-sync.ts';
import { idempotencyStore } from '../../../shared/http/idempotency-store.ts';
import { offerLock } from '../../../shared/places/offer-lock.ts';
import { placeStore } from '../../../shared/places/place-store.ts';
import { removalStore } from '../../../shared/places/removal-store.ts';
import type { SliceLimit } from '../../../shared/places/slices.ts';
import { syncSessionStore } from '../../../shared/places/sync-session-store.ts';
import { parkedStore } from '../../../shared/queues/parked-store.ts';
import { fakeClock } from '../../support/clock.ts';
import { call, forBars, type HttpResponse, type Request } from '../../support/http.ts';
import { fakeIds } from '../../support/ids.ts';
import { newFifoQueue, redelivered } from '../../support/queue.ts';
import { newTable } from '../../support/table.ts';

export function place(itemId: string, name = itemId, address = `Street ${itemId}`) {
  return {
    itemId,
    placeInfo: { name, address },
  };
}

/** The functions of area A around one table and one queue; `work` stands in for the event source mapping. */
export async function syncRig(options: { sliceLimit?: SliceLimit } = {}) {
  const table = await newTable();
  const queue = await newFifoQueue();
  const clock = fakeClock();
  const ids = fakeIds();
  const sessions = syncSessionStore(table);
  const places = placeStore(table);
  const removals = removalStore(table);
  const idempotency = idempotencyStore(table);
  const lock = offerLock(table, clock, async () => {});
  const handlers = {
    start: startSync({ offerLock: lock, sessions, queue, ids, clock, idempotency, ...options }),
    get: getSync({ sessions, clock, idempotency }),
    process: processSlice({ places, sessions, removals, clock }),
    endFailed: endFailedSlice({ sessions, parked: parkedStore(table), clock }),
  };
  const send = (body: unknown, request: Request = {}): Promise<HttpResponse> =>
    call(handlers.start, { ...forBars, body, ...request });
  const get = (sessionId: string, request: Request = {}): Promise<HttpResponse> =>
    call(handlers.get, { ...forBars, path: { sessionId }, ...request });
  const work = async () => handlers.process(redelivered(await queue.drain(), 1));
  const stored = async (offerId = 'bars-of-moscow') =>
    (await places.page(offerId, 500)).places.map(({ itemId, placeInfo }) => [itemId, placeInfo.name]);
  /** Sends a list, works it off and returns the finished session. */
  const sync = async (list: unknown[], extra: Record<string, unknown> = {}) => {
    const { body } = await send({ places: list, ...extra });
    await work();
    return (await get((body as { sessionId: string }).sessionId)).body as FinishedSession;
  };
  return { table, queue, clock, places, sessions, removals, handlers, send, get, work, stored, sync };
}

export type FinishedSession = {
  sessionId: string;
  status: string;
  errors: { place: unknown; description: string }[];
  counts: Record<string, number>;
  warnings?: string[];
};
