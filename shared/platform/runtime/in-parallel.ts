import { setImmediate } from 'node:timers/promises';

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
  const runWhileLeft = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await task(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, queue.length) }, runWhileLeft));
  if (failures.length > 0) throw failures[0];
}

/**
 * Runs a task when fewer than `limit` of those given before are under way, in the order in which they were given.
 * Tasks that may start while the event loop handles responses start together afterwards: making ten requests and then
 * sending all ten takes much less CPU than doing so one by one between responses.
 */
export type Limiter = <Result>(task: () => Promise<Result>) => Promise<Result>;

export function limiter(limit: number): Limiter {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  let start: Promise<void> | undefined;
  const startTogether = (): Promise<void> => {
    start ??= setImmediate().then(() => {
      start = undefined;
    });
    return start;
  };
  return async (task) => {
    if (underWay === limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay += 1;
    try {
      await startTogether();
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else underWay -= 1;
    }
  };
}
