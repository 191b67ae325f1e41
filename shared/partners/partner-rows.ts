import type { Pause } from '../platform/runtime/backoff.ts';
import { repeated } from '../platform/runtime/time-left.ts';
import { changeIf, updateIf } from '../platform/table/condition.ts';
import { accountKey, type Key, partnerKey } from '../platform/table/keys.ts';
import { readAll } from '../platform/table/read-all.ts';
import { readRow } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { type TransactItems, transactional } from '../platform/table/transactional.ts';
import { Account, PartnerEntry } from './account.ts';

type Keys = readonly [Account, ...Account[]];

/** The changes to the rows of a partner's keys. `logins` is set when keys are added or removed. */
export type PartnerChange = { writes: TransactItems; logins?: readonly string[] };

export type Changed<Refused> =
  /** The condition is that of one of the `writes`. */
  { outcome: 'changed' | 'unknown' | 'condition failed' } | { outcome: 'refused'; refused: Refused };

/** The partner's keys in the order in which they were made; `undefined` for an unknown partner. */
export async function readKeys(table: Table, partnerId: string): Promise<Keys | undefined> {
  const entry = await readEntry(table, partnerId);
  return entry && keysOf(table, entry);
}

async function readEntry(table: Table, partnerId: string): Promise<PartnerEntry | undefined> {
  const item = await readRow(table, partnerKey(partnerId));
  return item && PartnerEntry.parse(item);
}

async function keysOf(table: Table, { logins }: PartnerEntry): Promise<Keys | undefined> {
  const rows = await readAll(table, logins.map(accountKey), { consistent: true });
  const accounts = rows.map((row) => Account.parse(row));
  const inOrder = logins.flatMap((login) => accounts.find((account) => account.login === login) ?? []);
  const [first, ...others] = inOrder;
  return first && [first, ...others];
}

/**
 * Changes the rows of a partner's keys by what `decide` makes of them, in one transaction that fails when their number
 * or what they share has changed since they were read: then it reads and decides again. So two that delete each other's
 * key cannot both succeed, and a key that is made meanwhile misses no change.
 */
export async function changePartner<Refused>(
  table: Table,
  partnerId: string,
  { decide, pause }: { decide: (keys: Keys) => PartnerChange | { refused: Refused }; pause: Pause },
): Promise<Changed<Refused>> {
  const changed = await repeated<Changed<Refused>>(async () => {
    const entry = await readEntry(table, partnerId);
    const keys = entry && (await keysOf(table, entry));
    if (!keys) return { outcome: 'unknown' };
    const decided = decide(keys);
    if ('refused' in decided) return { outcome: 'refused', refused: decided.refused };
    const { writes, logins = entry.logins } = decided;
    const { version } = entry;
    const counted = changeIf({ version }, { version: version + 1, logins });
    const written = await transactional(
      table,
      [{ Update: updateOf(table, partnerKey(partnerId), counted) }, ...writes],
      pause,
    );
    if (written.applied) return { outcome: 'changed' };
    return written.at > 0 ? { outcome: 'condition failed' } : undefined;
  }, pause);
  if (!changed) throw new Error(`the keys of ${partnerId} changed under every try to change them`);
  return changed;
}

export type RowChange = {
  UpdateExpression: string;
  ConditionExpression: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues: Record<string, unknown>;
};

export function updateOf(table: Table, Key: Key, change: RowChange) {
  return {
    TableName: table.name,
    Key,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ...change,
  };
}

/** Changes a row by itself. */
export function changeRow(table: Table, key: Key, change: RowChange) {
  return updateIf(table, updateOf(table, key, change));
}

/** Sets an attribute of a key that is still there. */
export function setInKey(table: Table, login: string, name: string, value: unknown) {
  return {
    Update: updateOf(table, accountKey(login), {
      UpdateExpression: `SET ${name} = :value`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':value': value },
    }),
  };
}
