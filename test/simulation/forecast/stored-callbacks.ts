import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { callbackStore } from '../../../shared/callbacks/rows/callback-store.ts';
import type { Table } from '../../../shared/platform/table/table.ts';
import type { Stage } from './load.ts';
import { firstPhone } from './recipients.ts';

/** Writes rows of callbacks as the service does, but without taking the time that the service would need. */
export async function storeCallbacks(
  { world, alpha }: Stage,
  count: number,
  isSkipped: (n: number) => boolean,
): Promise<void> {
  const rows: object[] = [];
  const send = async ({ input }: { input: { Item: object } }) => {
    rows.push(input.Item);
    return {};
  };
  const store = callbackStore({ ...world.table, client: { send } as unknown as Table['client'] });
  const now = world.time.now();
  for (let n = 0; n < count; n++) {
    const messageId = `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;
    const about = {
      partnerId: alpha.partnerId,
      messageId,
      state: 'DELIVERED' as const,
      msisdn: firstPhone + n,
    };
    const attempt = { at: now - n, durationMs: 90, httpStatus: 500, error: 'status' as const };
    const history = { tries: 2, attempts: [attempt, attempt] };
    const end = isSkipped(n)
      ? { status: 'skipped' as const, reason: 'GONE' }
      : { status: 'delivered' as const };
    await store.create({ ...about, changedAt: now - n, requestId: 'request' }, { ...history, ...end }, now);
  }
  for (let from = 0; from < rows.length; from += 25) {
    const puts = rows.slice(from, from + 25).map((row) => {
      return { PutRequest: { Item: marshall(row, { removeUndefinedValues: true }) } };
    });
    await world.table.client.send(new BatchWriteItemCommand({ RequestItems: { [world.table.name]: puts } }));
  }
}
