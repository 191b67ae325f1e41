import type { Clock } from '../runtime/clock.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { buckets } from '../table/keys.ts';
import { type DueIndex, entriesPerPage, type Page, writesAtOnce } from './due-index.ts';

/** `rows` is how many may come forward in all, `until` the time after which no further page is read. */
type Limits = { rows: number; until: number };
type Drained = { brought: number; finished: boolean };

/** Makes later rows of a partner due now, an equal share from each bucket. `finished` when none are left. */
export async function drainBacklog(
  { due, clock }: { due: DueIndex; clock: Clock },
  partnerId: string,
  { rows, until }: Limits,
): Promise<Drained> {
  const nowMs = clock.now();
  const share = Math.ceil(rows / buckets.length);
  const all: Drained = { brought: 0, finished: true };
  await inParallel(buckets.length, buckets, async (bucket) => {
    const bucketRows = { partnerId, bucket };
    let room = share;
    let leftBehind = 0;
    let from: Page['next'];
    do {
      const page = await due.laterOf(bucketRows, nowMs, { size: entriesPerPage, from });
      await inParallel(writesAtOnce, page.rows, async (row) => {
        if (room === 0) {
          leftBehind += 1;
          return;
        }
        room -= 1;
        // A row that is queued or under attempt takes no share.
        if (!(await due.bringForward(row, nowMs))) room += 1;
      });
      from = page.next;
    } while (from && room > 0 && clock.now() < until);
    all.brought += share - room;
    if (leftBehind > 0 || from) all.finished = false;
  });
  return all;
}
