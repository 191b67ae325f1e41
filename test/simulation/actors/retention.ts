import { type RowKindName, rowKinds } from '../../../shared/platform/table/row-kinds.ts';
import { check } from '../ledger.ts';
import type { Row } from '../watch-rows.ts';
import type { Actor, World } from '../world.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A row may be written, and a response kept, some time after the moment that counts. */
const slackMs = 180_000;

/** Messages are kept 30 days, and their rows 7 more, for the feed. */
const messageRowsKeptMs = 37 * dayMs;

/** What is kept how long (rules 5, 12, 21, 33 and 58), and since when. The time of a row's sort key is its first part. */
const promises: Partial<Record<RowKindName, { keptMs: number; since: (row: Row) => unknown }>> = {
  'sync session': { keptMs: 30 * dayMs, since: ({ startedAt }) => startedAt },
  'single message': { keptMs: messageRowsKeptMs, since: ({ acceptedAt }) => acceptedAt },
  'bulk send': { keptMs: messageRowsKeptMs, since: ({ acceptedAt }) => acceptedAt },
  'send in lists': { keptMs: 30 * dayMs, since: ({ acceptedAt }) => acceptedAt },
  callback: { keptMs: 30 * dayMs, since: ({ createdAt }) => createdAt },
  'delivered callbacks': { keptMs: 3 * dayMs, since: ({ sk }) => sk.split('#')[0] },
};

/** Checks that rows are there for as long as partners were promised: nothing in a run lives that long. */
export function createRetention({ histories }: World): Actor {
  return {
    does: {},
    ledger: (rows) => {
      const kept = rowKinds.flatMap(({ name }) => {
        const { keptMs = 0, since } = promises[name] ?? {};
        return since ? rows(name).map((row) => ({ row, until: Number(since(row)) + keptMs })) : [];
      });
      const answers = (['idempotency key', 'kept response'] as const).flatMap((kind) =>
        histories(kind).flatMap(([first]) =>
          first?.row ? [{ row: first.row, until: first.atMs + dayMs }] : [],
        ),
      );
      return [
        check(
          'rules 5, 12, 21, 33 and 58: what is kept is kept as long as was promised',
          [...kept, ...answers],
          ({ row, until }) => {
            return !(Number(row['expiresAt']) * 1_000 >= until - slackMs);
          },
        ),
      ];
    },
  };
}
