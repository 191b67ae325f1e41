import { days, epochSeconds } from '../runtime/clock.ts';
import { drainKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItems } from '../table/transactional.ts';
import { drainShardOf } from './due-shard.ts';

const keptMs = days(30);

/** Part of a transaction: `resume` brings what the partner's circuit deferred forward, from `dueAt` on. */
export function startDrain(table: Table, partnerId: string, dueAt: number): TransactItems[number] {
  const index = { dueShard: drainShardOf(partnerId), dueAt };
  const Item = { ...drainKey(partnerId), partnerId, ...index, expiresAt: epochSeconds(dueAt + keptMs) };
  return { Put: { TableName: table.name, Item } };
}

/** Part of a transaction: what is still deferred waits on. */
export function stopDrain(table: Table, partnerId: string): TransactItems[number] {
  return { Delete: { TableName: table.name, Key: drainKey(partnerId) } };
}
