import * as z from 'zod/mini';
import { CallbackState } from '../../shared/callbacks/callback.ts';
import { reopen } from '../../shared/platform/http/idempotency.ts';
import { isDataError } from '../../shared/platform/runtime/data-error.ts';
import { gunzip } from '../../shared/platform/runtime/gzip.ts';
import { deleteAll, type Row } from '../../shared/platform/table/batches.ts';
import { callbackKey } from '../../shared/platform/table/row-keys/callbacks.ts';
import { bulkKey, recipientKey } from '../../shared/platform/table/row-keys/push.ts';
import { alone, idIn, type RowKey, rowId } from '../../shared/platform/table/row-keys/row-key.ts';
import { kindOf, type RowKindName } from '../../shared/platform/table/row-kinds.ts';
import { deleteRow, readRow, updateIf, updateIfStill } from '../../shared/platform/table/rows.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import { LaterState } from '../../shared/push/history.ts';
import { messageReader } from '../../shared/push/message-reader.ts';
import { BulkSend } from '../../shared/push/message-rows.ts';
import { locateStates, stateAttribute } from '../../shared/push/message-states.ts';
import { erasedNumber, isErased } from '../../shared/push/packed-recipients.ts';
import { removePhone } from '../../shared/sandbox/phone-store.ts';
import type { CapacityMeter } from './capacity-meter.ts';
import { eraseFromPart, messagesIn } from './erase-from-part.ts';
import { nameOf, type RowsById, rowsAt } from './owned-rows.ts';
import { Tally } from './tally.ts';

type RecipientErasure = { msisdn: number; dryRun: boolean };

/** Does work with a row, or adds the row to those that cannot be read, which must not keep the number in all others. */
type UnlessDamaged = <Done>(row: Row, work: () => Done | Promise<Done>) => Promise<Done | undefined>;

/**
 * Removes what the table has about a phone number: rows about it alone are deleted, in bulk sends it is overwritten.
 * Text that happens to contain its digits (contents, service points) stays. Returns also the rows that it could not read.
 */
export async function eraseRecipient(table: Table, meter: CapacityMeter, erasure: RecipientErasure) {
  const { msisdn, dryRun } = erasure;
  const rows = new Tally();
  const messages: ErasedMessage[] = [];
  const damaged = new Map<string, Row>();
  const unlessDamaged: UnlessDamaged = async (row, work) => {
    try {
      return await work();
    } catch (error) {
      if (!isDataError(error)) throw error;
      damaged.set(rowId(row), row);
      return undefined;
    }
  };
  for await (const page of meter.pagesOf(table)) {
    const about: Row[] = [];
    for (const row of page)
      if (await unlessDamaged(row, () => isAbout[nameOf(row)]?.(row, msisdn))) about.push(row);
    const found = about.flatMap((row) => messagesOf(row, msisdn));
    messages.push(...found);
    // A restore may have brought back states of messages whose number was erased before.
    const parts = page.filter((row) => nameOf(row) === 'part of a bulk send' && !damaged.has(rowId(row)));
    const erasedBefore = parts.flatMap((row) => messagesOf(row, erasedNumber));
    // Remove states and summaries first, because they name no number: if the command is stopped, the next run finds them
    // by the messages that are left.
    await removeStates(table, [...found, ...erasedBefore], { dryRun, rows });
    if (!dryRun) {
      await removeSummaries(table, await sendsOf(table, found), { msisdn, unlessDamaged });
      await eraseRows(table, about, { msisdn, unlessDamaged });
    }
    for (const row of about.filter((one) => !damaged.has(rowId(one)))) {
      rows.add(row);
      // The row of its key changes with it.
      if (nameOf(row) === 'kept response') rows.add(alone(row.pk));
    }
    meter.found = rows.total();
  }
  if (dryRun) return { rows, damaged: [...damaged.values()] };
  // Receipts arrive until the message is gone, and may have written rows that the scan has passed.
  await removeStates(table, messages, { dryRun, rows });
  const sends = await sendsOf(table, messages);
  await removeCallbacks(table, messages, sends);
  await removeSummaries(table, sends, { msisdn, unlessDamaged });
  return { rows, damaged: [...damaged.values()] };
}

type Erasing = { msisdn: number; unlessDamaged: UnlessDamaged };

async function eraseRows(table: Table, about: readonly Row[], { msisdn, unlessDamaged }: Erasing) {
  const gone: Row[] = [];
  for (const row of about) {
    const name = nameOf(row);
    if (name === 'part of a bulk send') await unlessDamaged(row, () => overwrite(table, row, msisdn));
    else if (name === 'phones') await removePhone(table, String(kindOf(row).owner), msisdn);
    else if (name === 'idempotency key') await reopen(table, row, row['requestId']);
    else if (name === 'kept response') await deleteKeptResponse(table, row);
    else gone.push(row);
  }
  await deleteAll(table, gone);
}

type Counted = { dryRun: boolean; rows: Tally };

/** A part does not name its partner, but its send does. */
type ErasedMessage = { messageId: string; partnerId?: string; send?: RowKey };

function messagesOf(row: Row, msisdn: number): ErasedMessage[] {
  const kind = nameOf(row);
  if (kind === 'part of a bulk send') {
    const send = bulkKey(idIn(row));
    return messagesIn(row, msisdn).map((messageId) => ({ messageId, send }));
  }
  if (kind !== 'single message') return [];
  return [{ messageId: String(row['messageId']), partnerId: String(row['partnerId']) }];
}

type IsAbout = (row: Row, msisdn: number) => boolean | Promise<boolean>;

const isTo: IsAbout = (row, msisdn) => row['msisdn'] === msisdn;
const mentions: IsAbout = ({ body }, msisdn) => contains(String(body ?? ''), msisdn);

/** Says of each kind of row that may be about a phone number when it is. */
const isAbout: Partial<Record<RowKindName, IsAbout>> = {
  recipient: ({ pk }, msisdn) => pk === recipientKey(msisdn).pk,
  phones: ({ numbers }, msisdn) => numbers instanceof Set && numbers.has(msisdn),
  'message on a phone': ({ pk }, msisdn) => pk.endsWith(`#${msisdn}`),
  'single message': isTo,
  callback: isTo,
  'part of a bulk send': (row, msisdn) => messagesIn(row, msisdn).length > 0,
  'idempotency key': async ({ savedResponse }, msisdn) => contains(await bodyIn(savedResponse), msisdn),
  'kept response': async (row, msisdn) => contains(await bodyIn(row), msisdn),
  'parked message': mentions,
  'received callback': mentions,
};

function contains(text: string, msisdn: number): boolean {
  return new RegExp(`(?<!\\d)${msisdn}(?!\\d)`).test(text);
}

const WithBody = z.object({ gzippedBody: z.instanceof(Uint8Array) });

async function bodyIn(response: unknown): Promise<string> {
  const { gzippedBody } = WithBody.safeParse(response).data ?? {};
  return gzippedBody ? (await gunzip(gzippedBody)).toString() : '';
}

/** The row of the key goes first: it must not say that there is a response when there is none. */
async function deleteKeptResponse(table: Table, { pk, sk, requestId }: Row): Promise<void> {
  await reopen(table, alone(pk), requestId);
  await deleteRow(table, { pk, sk });
}

async function overwrite(table: Table, read: Row, msisdn: number): Promise<void> {
  const { pk, sk } = read;
  let row: Row | undefined = read;
  while (row && messagesIn(row, msisdn).length > 0 && !(await eraseFromPart(table, row, msisdn)))
    row = (await readRow(table, { pk, sk })) as Row | undefined;
}

/** Removes the states of the messages. Their rows name no number, and rows of a bulk send have states of others. */
async function removeStates(table: Table, messages: readonly ErasedMessage[], { dryRun, rows }: Counted) {
  const locations = messages.flatMap(({ messageId }) => locateStates(messageId) ?? []);
  const keys = locations.map(({ key }) => key);
  const stored = await rowsAt(table, keys);
  for (const { key, n } of locations) {
    const names = LaterState.options.map((state) => stateAttribute(state, n));
    if (!names.some((name) => name in (stored.get(rowId(key)) ?? {}))) continue;
    const { name } = kindOf(key).kind;
    rows.add(key);
    if (dryRun) continue;
    const removed = Object.fromEntries(names.map((attribute) => [attribute, null]));
    if (name === 'states of a message') await deleteRow(table, key);
    else await changeExisting(table, key, removed);
  }
}

function sendsOf(table: Table, messages: readonly ErasedMessage[]): Promise<RowsById> {
  const keys = messages.flatMap(({ send }) => send ?? []);
  return rowsAt(table, keys);
}

/** Removes callbacks that were created behind the scan. */
async function removeCallbacks(table: Table, messages: readonly ErasedMessage[], sends: RowsById) {
  const keys = messages.flatMap(({ messageId, partnerId, send }) => {
    const owner = partnerId ?? (send && sends.get(rowId(send))?.['partnerId']);
    if (owner === undefined) return [];
    return CallbackState.options.map((state) => callbackKey(String(owner), messageId, state));
  });
  await deleteAll(table, keys);
}

/** Removes what the messages of a send have in common with its last recipient, because it may be about them. */
async function removeSummaries(table: Table, sends: RowsById, { msisdn, unlessDamaged }: Erasing) {
  for (const row of sends.values()) {
    if (!('summary' in row)) continue;
    const read = () => messageReader(table).readRecipients(BulkSend.parse(row));
    const sent = await unlessDamaged(row, read);
    if (!sent?.every((one) => one.msisdn === msisdn || isErased(one))) continue;
    await changeExisting(table, row, { summary: null });
  }
}

/** Changes a row that is still there: an update without a condition would create one that has expired meanwhile. */
async function changeExisting(table: Table, { pk, sk }: RowKey, changes: Record<string, unknown>) {
  await updateIf(table, { Key: { pk, sk }, ...updateIfStill({ pk }, { set: changes }) });
}
