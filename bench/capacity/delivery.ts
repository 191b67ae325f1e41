import { type DeadEndpoint, timeoutSeconds } from './dead-endpoint.ts';
import { mappingScaling, quotas } from './quotas.ts';

/** Callbacks of a kind of partner that wait in the queue. One tick is 1 s. */
export interface Lane {
  waiting: number;
  /** Of a batch whose slowest member is of this kind. */
  readonly batchSeconds: number;
}

export interface Workers {
  readonly cap: number;
  readonly batchSize: number;
}

/** A batch that the table refuses to write for: four tries with pauses. */
const throttledSeconds = 0.5;

/** Workers that are busy with batches longer than a tick. */
export function workerPool({ cap }: { cap: number }) {
  const releases = new Map<number, number>();
  let held = 0;
  return {
    free: (now: number): number => {
      held -= releases.get(now) ?? 0;
      releases.delete(now);
      const scaled = Math.min(cap, mappingScaling.first + (mappingScaling.addedAMinute / 60) * now);
      return Math.max(0, scaled - held);
    },
    hold: (now: number, workers: number, seconds: number): void => {
      const ticks = Math.max(0, Math.round(seconds) - 1);
      if (ticks === 0) return;
      held += workers;
      const at = now + ticks + 1;
      releases.set(at, (releases.get(at) ?? 0) + workers);
    },
    held: (): number => held,
  };
}

export type Pool = ReturnType<typeof workerPool>;

/** What a batch may draw, with how long it lasts if it draws at least one of these. */
interface Kind {
  readonly share: number;
  readonly seconds: number;
}

/** The mean time of a batch: the longest kind it holds decides. `kinds` from the longest to the shortest. */
export function meanBatchSeconds(
  kinds: readonly Kind[],
  batchSize: number,
): { taken: number; mean: number; longs: { chance: number; seconds: number }[] } {
  let noneSoFar = 1;
  let shorter = 1;
  let mean = 0;
  let taken = 0;
  const longs: { chance: number; seconds: number }[] = [];
  for (const { share, seconds } of kinds) {
    shorter -= share;
    const noneWithThis = Math.max(0, shorter) ** batchSize;
    const chance = noneSoFar - noneWithThis;
    noneSoFar = noneWithThis;
    mean += chance * seconds;
    // Of a long batch, the tick that starts it pays one second; the rest is held.
    taken += chance * Math.min(1, seconds);
    if (seconds > 1) longs.push({ chance, seconds });
  }
  return { taken, mean, longs };
}

export interface Queue {
  readonly healthy: Lane;
  readonly slow: Lane;
  readonly dead: DeadEndpoint | undefined;
}

/**
 * Serves messages for one tick, drawn from all that wait in proportion: a batch mixes partners, and lasts as
 * long as its slowest attempt. Returns how many of the healthy partners' callbacks were delivered.
 */
export function serve(
  queue: Queue,
  now: number,
  { pool, batchSize }: { pool: Pool; batchSize: number },
): number {
  const { healthy, slow, dead } = queue;
  const deadWaiting = dead?.waiting() ?? 0;
  const all = healthy.waiting + slow.waiting + deadWaiting;
  if (all < 1) return 0;
  const open = dead?.circuitIsOpen(now) ?? false;
  const deadSeconds = open
    ? (dead?.seen().throttled ?? 0) > 0
      ? throttledSeconds
      : healthy.batchSeconds
    : timeoutSeconds;
  const kinds = [
    { share: healthy.waiting / all, seconds: healthy.batchSeconds },
    { share: slow.waiting / all, seconds: slow.batchSeconds },
    { share: deadWaiting / all, seconds: deadSeconds },
  ].toSorted((a, b) => b.seconds - a.seconds);
  const { taken, longs } = meanBatchSeconds(kinds, batchSize);
  // Hidden messages and those being worked on count together: beyond the quota nobody receives anything.
  const inFlight = (dead?.seen().hidden ?? 0) + pool.held() * batchSize;
  const room = Math.max(0, quotas.messagesInFlight.limit - inFlight);
  const batches = Math.min(all / batchSize, pool.free(now) / taken, room / batchSize);
  for (const { chance, seconds } of longs) pool.hold(now, batches * chance, seconds);
  const received = (batches * batchSize) / all;
  const delivered = healthy.waiting * received;
  healthy.waiting -= delivered;
  slow.waiting -= slow.waiting * received;
  dead?.receive(now, deadWaiting * received);
  return delivered;
}
