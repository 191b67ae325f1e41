import { expect } from 'vitest';
import type { CallbackRow } from '../../../../shared/callbacks/callback-row.ts';
import { dueIndex } from '../../../../shared/callbacks/due-index.ts';
import { dueShards } from '../../../../shared/callbacks/due-shard.ts';
import type { CallbackModel, CallbackWorld, Known } from './callback-world.ts';

const settled = new Set(['delivered', 'failed', 'skipped']);

/** Whatever happened: nothing is lost, nothing is attempted more often than its versions, ten tries are the end. */
export async function checkInvariants(
  model: CallbackModel,
  world: CallbackWorld,
  isOk: boolean,
): Promise<Map<string, CallbackRow>> {
  for (const messageId of world.posted()) {
    const known = model.known.get(messageId);
    if (!known) throw new Error(`posted a callback that was never requested: ${messageId}`);
    known.posts += 1;
    if (isOk) known.delivered = true;
  }
  const rows = await world.rows();
  for (const known of model.known.values()) {
    const { messageId, posts, firsts, versions } = known;
    expect({ messageId, fits: posts <= firsts + versions.size }).toEqual({ messageId, fits: true });
    const row = rows.get(messageId);
    if (row) checkRow(known, row);
    else if (!known.delivered) {
      // Not attempted yet, or in the hands of a worker that failed: then its first message is still there.
      const waits = model.queue.some(
        ({ message }) => message.messageId === messageId && message.kind === 'first',
      );
      expect({ messageId, waits }).toEqual({ messageId, waits: true });
    }
  }
  return rows;
}

function checkRow(known: Known, row: CallbackRow): void {
  const { messageId, status, tries, version, dueAt, reason } = row;
  expect(tries).toBeLessThanOrEqual(10);
  expect(row.attempts.length).toBeLessThanOrEqual(20);
  const shown = { messageId, status, isDue: dueAt !== undefined, hasReason: reason !== undefined };
  if (status === 'waiting') {
    expect(shown).toMatchObject({ isDue: true });
    expect({ messageId, tries: tries < 10 }).toEqual({ messageId, tries: true });
  } else if (status === 'delivered') {
    expect(shown).toMatchObject({ isDue: false });
    expect(known.delivered).toBe(true);
  } else {
    expect(shown).toMatchObject({ isDue: false, hasReason: true });
    if (status === 'failed') expect(tries).toBe(10);
  }
  // What is settled stays as it is, until somebody replays it.
  if (known.settled) expect({ status, version }).toEqual(known.settled);
  if (settled.has(status)) known.settled = { status, version };
}

/** Every row that waits can be found by its time, and no other. */
export async function allIndexed(world: CallbackWorld): Promise<void> {
  const due = dueIndex(world.rig.table);
  const pages = await Promise.all(
    dueShards.map((shard) => due.upTo(shard, Number.MAX_SAFE_INTEGER, { size: 500, without: [] })),
  );
  const found = pages.flatMap(({ rows }) => rows.filter(({ drains }) => drains === undefined));
  const waiting = [...(await world.rows()).values()].filter(({ status }) => status === 'waiting');
  expect(found.map(({ sk, dueAt }) => `${sk} ${dueAt}`).sort()).toEqual(
    waiting.map(({ messageId, state, dueAt }) => `${messageId}#${state} ${dueAt}`).sort(),
  );
}
