import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { SessionMessage, unpackSlice } from '../../../../shared/places/slice-message.ts';
import type { ItemRange } from '../../../../shared/places/slices.ts';
import { syncRig } from '../../../integration/places/sync-rig.ts';
import { bars } from '../../../support/http.ts';
import { redelivered } from '../../../support/queue.ts';
import { type Fault, tableFaults } from '../table-faults.ts';
import type { Element, FailedSlice, Stored } from './expected-places.ts';

export const offers = ['bars-of-moscow', 'bars-of-tver'] as const;
export type Offer = (typeof offers)[number];

export function as(offerId: Offer) {
  return { partner: bars, headers: { offerid: offerId } };
}

/** What the queue moves to the dead letters. */
const maxReceives = 5;

type Session = {
  sessionId: string;
  offerId: Offer;
  list: readonly Element[];
  dryRun: boolean;
  confirmed: boolean;
  failedSlices: FailedSlice[];
  removalsFailed?: Stored;
};

/** A message of the queue, with how often it was received. */
type Waiting = { record: SQSRecord; offerId: Offer; session: Session; receives: number };

/** The model: what was requested, and what is in the queues. */
export type SyncModel = {
  sessions: Session[];
  backlog: Waiting[];
  dead: Waiting[];
  /** Out of the queues; may come again all the same. */
  handled: Waiting[];
  ended: Waiting[];
  seen: Seen;
};

export type Seen = { slices: number; struck: number; died: number; held: number; removalsDied: number };

export function newSyncModel(): SyncModel {
  return {
    sessions: [],
    backlog: [],
    dead: [],
    handled: [],
    ended: [],
    seen: { slices: 0, struck: 0, died: 0, held: 0, removalsDied: 0 },
  };
}

/** The real functions, with slices of two places. */
export async function newSyncWorld() {
  const rig = await syncRig({ sliceLimit: { places: 2, bytes: 700_000 } });
  return { ...rig, faults: tableFaults(rig.table) };
}

export type SyncWorld = Awaited<ReturnType<typeof newSyncWorld>>;

export type Trouble = {
  fault: Fault | undefined;
  /** The function was stopped after its work: the queue hears nothing of what became of the batch. */
  responseLost: boolean;
};
export const noTrouble: Trouble = { fault: undefined, responseLost: false };

type Handler = (event: { Records: SQSRecord[] }) => Promise<SQSBatchResponse>;

/** Hands the messages to the function as its event source would; returns those that go back to the queue. */
async function deliver(
  { faults }: SyncWorld,
  handler: Handler,
  { batch, trouble }: { batch: Waiting[]; trouble: Trouble },
) {
  for (const waiting of batch) waiting.receives += 1;
  const Records = batch.flatMap(({ record, receives }) => redelivered([record], receives).Records);
  const { response, struck } = await faults.during(trouble.fault, () => handler({ Records }));
  const failed = new Set(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const allFail = trouble.responseLost || (struck && trouble.fault?.kind === 'dies');
  return { back: batch.filter(({ record }) => allFail || failed.has(record.messageId)), struck };
}

/** One batch of ProcessSlice: at most `count` messages, in order, of one offer or of both. */
export async function workBatch(
  model: SyncModel,
  world: SyncWorld,
  { count, offerId, trouble }: { count: number; offerId?: Offer | undefined; trouble: Trouble },
): Promise<void> {
  const batch = model.backlog
    .filter((waiting) => offerId === undefined || waiting.offerId === offerId)
    .slice(0, count);
  if (batch.length === 0) return;
  const { back, struck } = await deliver(world, world.handlers.process, { batch, trouble });
  if (struck || trouble.responseLost) model.seen.struck += 1;
  const dying = back.filter(({ receives }) => receives >= maxReceives);
  model.handled.push(...batch.filter((waiting) => !back.includes(waiting)));
  model.backlog = model.backlog.filter(
    (waiting) => !batch.includes(waiting) || (back.includes(waiting) && !dying.includes(waiting)),
  );
  for (const waiting of dying) await toDeadLetters(model, world, waiting);
}

/** Its range is given up as it is now; a slice that was finished before it got here is no loss. */
async function toDeadLetters(model: SyncModel, world: SyncWorld, waiting: Waiting): Promise<void> {
  model.dead.push(waiting);
  const { offerId, session } = waiting;
  const message = SessionMessage.parse(JSON.parse(waiting.record.body));
  const found = await world.sessions.find(message, world.clock.now());
  if (!('slice' in message)) {
    if (!found?.removalsPending) return;
    session.removalsFailed = new Map((await world.stored(offerId)) as [string, string][]);
    model.seen.removalsDied += 1;
    return;
  }
  if (!found?.pending.has(message.slice)) return;
  const { items, owns } = await unpackSlice(message);
  const inside = ownedBy(owns);
  const stored = (await world.stored(offerId)).filter(([itemId]) => inside(String(itemId)));
  session.failedSlices.push({
    indexes: new Set(items.map(({ index }) => index)),
    owns: inside,
    found: new Map(stored as [string, string][]),
  });
  model.seen.died += 1;
}

function ownedBy(range: ItemRange | undefined) {
  return (itemId: string): boolean => {
    const bytes = Buffer.from(itemId);
    return (
      range !== undefined &&
      (range.after === undefined || Buffer.compare(bytes, Buffer.from(range.after)) > 0) &&
      (range.upTo === undefined || Buffer.compare(bytes, Buffer.from(range.upTo)) <= 0)
    );
  };
}

/** One batch of EndFailedSlice. */
export async function endBatch(
  model: SyncModel,
  world: SyncWorld,
  { count, trouble }: { count: number; trouble: Trouble },
): Promise<void> {
  const batch = model.dead.slice(0, count);
  const { back } = await deliver(world, world.handlers.endFailed, { batch, trouble });
  model.ended.push(...batch.filter((waiting) => !back.includes(waiting)));
  model.dead = model.dead.filter((waiting) => !batch.includes(waiting) || back.includes(waiting));
}

/** A message that was processed comes again. */
export async function comeAgain(model: SyncModel, world: SyncWorld, pick: number): Promise<void> {
  const waiting = model.handled[pick % model.handled.length];
  if (waiting) await deliver(world, world.handlers.process, { batch: [{ ...waiting }], trouble: noTrouble });
}

export async function endAgain(model: SyncModel, world: SyncWorld, pick: number): Promise<void> {
  const waiting = model.ended[pick % model.ended.length];
  if (waiting)
    await deliver(world, world.handlers.endFailed, { batch: [{ ...waiting }], trouble: noTrouble });
}
