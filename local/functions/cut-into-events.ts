/** Lambda takes events of up to 6 MB (6 * 1024 * 1024 bytes). The difference is for what an event adds to its items. */
const maxEventBytes = 6_000_000;

/** Cuts items into events, in order: each with at most `maxItems` and the bytes that Lambda takes. */
export function cutIntoEvents<Item>(items: readonly Item[], maxItems: number): Item[][] {
  const events: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item));
    const event = events.at(-1);
    if (event && event.length < maxItems && bytes + size <= maxEventBytes) {
      event.push(item);
      bytes += size;
    } else {
      events.push([item]);
      bytes = size;
    }
  }
  return events;
}
