import type { Row } from '../../shared/platform/table/batches.ts';
import { kindOf } from '../../shared/platform/table/row-kinds.ts';
import { counted } from '../cli/formats.ts';

/** A send that waits for its time in the rows of a copy. It may have been released, or taken back, since the copy's moment. */
type WaitingSend = { sendId: string; partnerId: string; deliverFrom: number };

export function waitingSend(row: Row): WaitingSend | undefined {
  const { name } = kindOf(row).kind;
  if (name !== 'single message' && name !== 'bulk send') return undefined;
  const { deliverFrom, releasedAt, cancelledAt } = row;
  if (typeof deliverFrom !== 'number' || releasedAt !== undefined || cancelledAt !== undefined)
    return undefined;
  return {
    sendId: String(row['messageId'] ?? row['bulkId']),
    partnerId: String(row['partnerId']),
    deliverFrom,
  };
}

/** The row as a restore writes it. One that says when a send is due says until when that may have happened unseen. */
export function asRestored(row: Row, restoredAt: number): Row {
  return kindOf(row).kind.name === 'deadline' ? { ...row, restoredAt } : row;
}

/**
 * The list for operators. Without the rows that say when sends are due nothing happens to them, unless the live table
 * still has those.
 */
export function scheduledText(sends: readonly WaitingSend[], isDueRestored = true): string | undefined {
  if (sends.length === 0) return undefined;
  const lines = sends.map(
    ({ sendId, partnerId, deliverFrom }) => `  ${sendId} of ${partnerId}, for ${isoTime(deliverFrom)}`,
  );
  const title = `${counted(sends.length, 'scheduled send')} that may have been released or taken back since:`;
  const missing = 'Restore --kind deadline, too: without these rows nothing happens to them.';
  return [title, ...lines, ...(isDueRestored ? [] : [missing])].join('\n');
}

/** Says what rule 54 does to scheduled sends whose times were written with `restoredAt`. */
export function endText(restoredAt: number): string {
  return `Scheduled sends that were due before ${isoTime(restoredAt)} end as CANCELLED, later ones are released at their time.`;
}

function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
