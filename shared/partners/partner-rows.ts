import { repeated } from '../platform/runtime/time-left.ts';
import { readAll } from '../platform/table/batches.ts';
import { accountKey, partnerKey } from '../platform/table/row-keys/partners.ts';
import { readRow, updateIfStill } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { changeRow, type TransactItems, transactional } from '../platform/table/transactional.ts';
import { Account, PartnerEntry } from './account.ts';

type Keys = readonly [Account, ...Account[]];

/** The changes to the rows of a partner's keys. `logins` is set when keys are added or removed. */
type PartnerChange = { writes: TransactItems; logins?: readonly string[] };

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
 * Changes the rows of a partner's keys in one transaction, as `decide` says, or returns why it refuses the change. The
 * transaction fails when the number of keys or what they share has changed since they were read; then it reads and
 * decides again. So two requests that delete each other's key cannot both succeed, and a key that is made meanwhile
 * misses no change. `condition failed` is about a condition in the `writes`.
 */
export async function changePartner<Refused extends string = never>(
  table: Table,
  partnerId: string,
  decide: (keys: Keys) => PartnerChange | Refused,
): Promise<'changed' | 'unknown' | 'condition failed' | Refused> {
  const changed = await repeated(async () => {
    const entry = await readEntry(table, partnerId);
    const keys = entry && (await keysOf(table, entry));
    if (!keys) return 'unknown';
    const decided = decide(keys);
    if (typeof decided === 'string') return decided;
    const { writes, logins = entry.logins } = decided;
    const { version } = entry;
    const counted = updateIfStill({ version }, { set: { version: version + 1, logins } });
    const written = await transactional(table, [changeRow(table, partnerKey(partnerId), counted), ...writes]);
    if (written.applied) return 'changed';
    return written.at > 0 ? 'condition failed' : undefined;
  });
  if (!changed) throw new Error(`the keys of ${partnerId} changed under every try to change them`);
  return changed;
}

/** Sets an attribute in all of these keys, which must still be there. */
export function setInKeys(table: Table, keys: Keys, name: string, value: unknown) {
  const change = {
    UpdateExpression: `SET ${name} = :value`,
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':value': value },
  };
  return keys.map(({ login }) => changeRow(table, accountKey(login), change));
}
