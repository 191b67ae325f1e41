import type { CallbackStatus } from '../../../shared/callbacks/rows/callback-store.ts';
import { writeAll } from '../../../shared/platform/table/batches.ts';
import { callbackKey, listedShardKey } from '../../../shared/platform/table/row-keys/callbacks.ts';
import { bucketOf } from '../../../shared/platform/table/row-keys/row-key.ts';
import type { Table } from '../../../shared/platform/table/table.ts';
import { day, noon } from '../../support/clock.ts';

export function messageIdAt(n: number): string {
  return `5d3b7a0e-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

type KeptRows = {
  from: number;
  to: number;
  partnerId?: string;
  state?: 'DELIVERED' | 'OPENED';
  [name: string]: unknown;
};

/** Writes rows of bars, or another partner, as workers leave them; the numbers give their ids and the order of their times. */
export async function keepRows(table: Table, status: CallbackStatus, kept: KeptRows): Promise<void> {
  const { from, to, partnerId = 'bars', state = 'DELIVERED', ...more } = kept;
  const rows = Array.from({ length: to - from }, (_, at) => {
    const messageId = messageIdAt(from + at);
    return {
      put: {
        ...callbackKey(partnerId, messageId, state),
        ...{ partnerId, messageId, state, msisdn: 79001234567 },
        ...{ status, version: 1, tries: 1, attempts: [], reason: 'disabled' },
        listedShard: listedShardKey(partnerId, bucketOf(messageId), status),
        ...{ changedAt: noon + from + at, createdAt: noon, updatedAt: noon },
        expiresAt: (noon + 30 * day) / 1_000,
        ...more,
      },
    };
  });
  await writeAll(table, rows);
}
