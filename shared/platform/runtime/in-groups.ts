/** The items in order, `size` in each group but the last. */
export function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  );
}

/** The items in order, in as few groups as the limits allow. An item of more bytes than a group may have is alone. */
export function inGroupsWithin<Item>(
  limit: { bytes: number; items?: number },
  items: readonly Item[],
  bytesOf: (item: Item) => number,
): Item[][] {
  const groups: Item[][] = [];
  let bytesLeft = 0;
  for (const item of items) {
    const last = groups.at(-1);
    const bytes = bytesOf(item);
    if (last && bytes <= bytesLeft && last.length !== limit.items) last.push(item);
    else {
      groups.push([item]);
      bytesLeft = limit.bytes;
    }
    bytesLeft -= bytes;
  }
  return groups;
}
