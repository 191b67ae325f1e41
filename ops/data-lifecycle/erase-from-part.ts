import * as z from 'zod/mini';
import { restoreNumbers } from '../../shared/platform/json/numbers.ts';
import { gunzip, gzip } from '../../shared/platform/runtime/gzip.ts';
import type { Row } from '../../shared/platform/table/batches.ts';
import { idIn } from '../../shared/platform/table/row-keys/row-key.ts';
import { updateIf, updateIfStill } from '../../shared/platform/table/rows.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import { bulkMessageId } from '../../shared/push/message-id.ts';
import { multiPerPart, PartRow } from '../../shared/push/message-rows.ts';
import { eraseNumber, recipientsPerPart } from '../../shared/push/packed-recipients.ts';
import type { PushContent } from '../../shared/push/sending/push-content.ts';

/** Replaces the content of an erased message. */
const noContent: PushContent = { pushType: 'SERVICE', payload: { title: '-', message: '-' } };

/** The ids of the messages to this number in a part of a bulk send. */
export function messagesIn(row: Row, msisdn: number): string[] {
  const { recipients, contents } = PartRow.parse(row);
  const from = Number(row.sk.slice('PART#'.length)) * (contents ? multiPerPart : recipientsPerPart);
  return eraseNumber(recipients, msisdn).positions.map((n) => bulkMessageId(idIn(row), from + n));
}

/**
 * Overwrites the number in a part, and its content if each recipient has one. Returns false if the part has changed or
 * expired since it was read: two erasures at once must not restore each other's number.
 */
export async function eraseFromPart(table: Table, row: Row, msisdn: number): Promise<boolean> {
  const { recipients, contents } = PartRow.parse(row);
  const { packed, positions } = eraseNumber(recipients, msisdn);
  const emptied = contents && (await emptyAt(contents, positions));
  const change = updateIfStill({ recipients }, { set: { recipients: packed, contents: emptied } });
  return (await updateIf(table, { Key: { pk: row.pk, sk: row.sk }, ...change })).applied;
}

async function emptyAt(contents: Uint8Array, positions: readonly number[]): Promise<Uint8Array> {
  const text = (await gunzip(contents)).toString();
  const all = restoreNumbers(z.array(z.unknown()).parse(JSON.parse(text)), text);
  return gzip(JSON.stringify(all.map((content, n) => (positions.includes(n) ? noContent : content))));
}
