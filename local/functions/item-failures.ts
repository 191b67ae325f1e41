import * as z from 'zod/mini';

const Failure = z.object({ itemIdentifier: z.string() });
const BatchResponse = z.nullish(z.object({ batchItemFailures: z.nullish(z.array(Failure)) }));

/**
 * The identifiers in `batchItemFailures`, or `all` when the response is malformed or names an item that was not in
 * the batch: Lambda then considers the whole batch failed.
 */
export function itemFailures(payload: string, sent: ReadonlySet<string>): ReadonlySet<string> | 'all' {
  const result = BatchResponse.safeParse(payload === '""' ? null : JSON.parse(payload));
  const ids = result.data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier) ?? [];
  return result.success && ids.every((id) => sent.has(id)) ? new Set(ids) : 'all';
}
