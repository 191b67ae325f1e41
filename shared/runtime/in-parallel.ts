/**
 * Runs `task` for every item, at most `limit` at a time. Every item is tried, also after a failure; then the
 * first failure is thrown.
 */
export async function inParallel<Item>(
  limit: number,
  items: Iterable<Item>,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const failures: unknown[] = [];
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await task(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, queue.length) }, lane));
  if (failures.length > 0) throw failures[0];
}
