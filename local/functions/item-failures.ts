import { isRecord } from '../template/is-record.ts';

/**
 * The identifiers in `batchItemFailures`, or `all` when the response is malformed or names an item that was not in
 * the batch: Lambda then considers the whole batch failed.
 */
export function itemFailures(payload: string, sent: ReadonlySet<string>): ReadonlySet<string> | 'all' {
  const response: unknown = JSON.parse(payload);
  if (response === null || response === '') return new Set();
  if (!isRecord(response)) return 'all';
  const failures = response['batchItemFailures'] ?? [];
  if (!Array.isArray(failures)) return 'all';
  const failed = new Set<string>();
  for (const failure of failures) {
    const id: unknown = isRecord(failure) ? failure['itemIdentifier'] : undefined;
    if (typeof id !== 'string' || !sent.has(id)) return 'all';
    failed.add(id);
  }
  return failed;
}
