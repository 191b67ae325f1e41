import { webhookId } from '../../../shared/callbacks/callback.ts';
import { readDelivered } from '../../../shared/callbacks/feed/delivered-row.ts';
import { endpointPartition } from '../../../shared/platform/table/row-keys/callbacks.ts';
import { kindOf } from '../../../shared/platform/table/row-kinds.ts';
import { inForceWithinMs, isDisabled, spansOf } from '../circuit-history.ts';
import { maxSkewMs } from '../core/faults.ts';
import { createRng } from '../core/rng.ts';
import { check, entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import { historyIn } from '../watch-rows.ts';
import type { Actor, Rows, World } from '../world.ts';
import type { Try } from './client.ts';
import { isToldAsSent, messagesOf } from './expected-messages.ts';
import type { SimulatedPartner } from './partners.ts';
import type { PushRequest } from './push-request.ts';
import { recordedStates } from './receipts.ts';

const dayMs = 86_400_000;
/** Rule 58: how long the feed keeps what it delivers. */
const feedKeptMs = 7 * dayMs;

type Page = {
  callbacks: readonly { webhookId: string; time: string; body: string }[];
  cursor: string;
  more: boolean;
};

type Reader = {
  partner: SimulatedPartner;
  limit: number;
  /** It reads what was written from then on. */
  since: number;
  cursor?: string;
  read: Page['callbacks'][number][];
};

/** What the table has of delivered callbacks, by row. `isFed` means that the feed delivered it, without an attempt. */
function deliveredRows(rows: Rows) {
  return rows('delivered callbacks').flatMap((row) => {
    const { owner: partnerId = '' } = kindOf(row);
    const { callbacks, writtenAt, expiresAt } = readDelivered(row);
    return callbacks.map(({ attempts, ...one }) => ({
      id: webhookId({ partnerId, ...one }),
      partnerId,
      writtenAt,
      expiresAt: expiresAt * 1_000,
      isFed: attempts.length === 0,
    }));
  });
}

/** The ids of the callbacks that first attempts delivered and logged, and of those that the feed delivered. */
export function deliveredIn(rows: Rows) {
  const all = deliveredRows(rows);
  const ids = (isFed: boolean) => new Set(all.filter((one) => one.isFed === isFed).map(({ id }) => id));
  return { posted: ids(false), fed: ids(true) };
}

/** Rule 58: several readers of each partner follow its feed, each with a cursor of its own, while it is written. */
export function createFeeds(world: World, requests: readonly PushRequest[]): Actor {
  const { partners, request, time, histories, isCalm } = world;
  const readers: Reader[] = [];

  const readOn = async (reader: Reader): Promise<void> => {
    const { partner, limit, since, read } = reader;
    const { authorization } = partner;
    for (let more = true; more; ) {
      const from = reader.cursor ? `cursor=${reader.cursor}` : `since=${new Date(since).toISOString()}`;
      const route = `GET /callbacks/feed?limit=${limit}&${from}`;
      const { tries } = await request(route, { authorization, persistent: true });
      const { response } = tries.at(-1) as Try;
      if (response?.status !== 200) return;
      const page = response.body as Page;
      read.push(...page.callbacks);
      reader.cursor = page.cursor;
      more = page.more;
    }
  };

  const follow = async ({ who, variant }: Action): Promise<void> => {
    const rng = createRng('feed', variant);
    const since = Math.max(0, time.now() - rng.pick([0, 60_000, dayMs]));
    const reader: Reader = { partner: partners.of(who), limit: rng.pick([1, 5, 20, 400]), since, read: [] };
    readers.push(reader);
    for (let n = rng.between(4, 20); n > 0; n--) {
      await readOn(reader);
      await time.sleep(rng.pick([rng.between(200, 5_000), rng.between(5_000, 60_000)]));
    }
  };

  return {
    does: { mode: follow, 'single push': follow, 'bulk push': follow, 'multi push': follow },
    ledger: async (rows) => {
      const recorded = recordedStates(rows);
      const written = deliveredRows(rows);
      const messages = messagesOf(world, requests);
      // At the end somebody reads everything.
      readers.push(...partners.all.map((partner) => ({ partner, limit: 20, since: 0, read: [] })));
      for (const reader of readers) await time.letEnd(readOn(reader));
      const unread = readers.flatMap(({ partner: { partnerId }, since, read, limit }) => {
        const seen = new Set(read.map((one) => one.webhookId));
        const missed = written.filter(
          (one) =>
            one.partnerId === partnerId &&
            one.writtenAt >= since &&
            one.expiresAt > time.now() &&
            // What was posted is written again only if its worker lives that long.
            (one.isFed || isCalm) &&
            !seen.has(one.id),
        );
        return missed.map((one) => `${one.id} of ${one.writtenAt}, from ${since} by ${limit}`);
      });
      const reads = readers.flatMap(({ partner: { partnerId }, read }) =>
        read.map((one, n) => ({ after: read[n - 1]?.time ?? '', partnerId, ...one })),
      );
      const fed = written.filter(({ isFed }) => isFed);
      const ids = fed.map(({ id }) => id);
      const isTwice = (id: string) => ids.indexOf(id) !== ids.lastIndexOf(id);
      return [
        entry('rule 58: no reader misses what is written behind its cursor', reads.length, unread),
        check('rule 58: each reader reads in order of writing', reads, ({ time: at, after }) => at < after),
        check('rule 58: bodies are those of posts', reads, ({ webhookId: id, partnerId, body }) => {
          const told = JSON.parse(body);
          const one = { ...told, webhookId: id, partnerId };
          return !isToldAsSent(messages, recorded, one) || JSON.stringify(told) !== body;
        }),
        check('rule 58: the feed keeps entries for 7 days', fed, ({ writtenAt, expiresAt }) => {
          return expiresAt < writtenAt + feedKeptMs;
        }),
        check('rule 58: the feed of a disabled endpoint gets nothing', fed, ({ partnerId, writtenAt }) =>
          spansOf(historyIn(histories('endpoint'), endpointPartition(partnerId))).some(
            ({ version, from, until }) =>
              isDisabled(version.row) &&
              writtenAt > from + inForceWithinMs + maxSkewMs &&
              writtenAt < until - maxSkewMs,
          ),
        ),
        // A function that was killed by a fault writes again what it had written.
        ...(isCalm ? [check('rule 58: nothing is in the feed twice', ids, isTwice)] : []),
      ];
    },
  };
}
