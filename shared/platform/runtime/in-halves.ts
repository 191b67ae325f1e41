import { isDataError } from './data-error.ts';

/**
 * Applies `apply` to all items together. If some of the data cannot be processed, it tries the items again in halves,
 * until those at fault are alone and go to `setAside`. Returns the results in the order of the items; other failures are
 * thrown.
 */
export async function inHalves<Item, Result>(
  items: readonly Item[],
  apply: (items: readonly Item[]) => Promise<Result> | Result,
  setAside: (item: Item, error: Error) => Promise<void>,
): Promise<Result[]> {
  const [first] = items;
  if (first === undefined) return [];
  try {
    return [await apply(items)];
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (items.length > 1) {
      const middle = Math.ceil(items.length / 2);
      const before = await inHalves(items.slice(0, middle), apply, setAside);
      return [...before, ...(await inHalves(items.slice(middle), apply, setAside))];
    }
    await setAside(first, error);
    return [];
  }
}
