import { inGroupsWithin } from '../../shared/platform/runtime/in-groups.ts';

/** Lambda takes events of up to 6 MB (6 * 1024 * 1024 bytes). The difference is for what an event adds to its items. */
const maxEventBytes = 6_000_000;

/** Cuts items into events, in order: each with at most `maxItems` and the bytes that Lambda takes. */
export function cutIntoEvents<Item>(items: readonly Item[], maxItems: number): Item[][] {
  const limit = { bytes: maxEventBytes, items: maxItems };
  return inGroupsWithin(limit, items, (item) => Buffer.byteLength(JSON.stringify(item)));
}
