import * as z from 'zod/mini';
import { described, named } from '../platform/validation/documented.ts';
import { ItemId, Place, PlaceInfo, type StoredPlace } from './place.ts';

/** Of each kind of change a session names this many points; its counts have all. */
export const changesShown = 100;

const UpdatedPoint = named('SyncUpdate', {
  itemId: ItemId,
  members: described(z.array(z.string()), 'The members of `placeInfo` that change'),
});

/** Rule 57: what a list changes, point by point. A kind of change that does not happen is absent. */
export const ListChanges = named(
  'SyncChanges',
  {
    added: z.optional(z.array(ItemId)),
    removed: described(z.optional(z.array(ItemId)), 'Those that are held back too: see `removalsHeld`'),
    updated: z.optional(z.array(UpdatedPoint)),
  },
  `What the list changes: the first ${changesShown} points of each kind. \`counts\` say how many there are.`,
);
export type ListChanges = z.infer<typeof ListChanges>;

/** The points that `changes` names, as the plan has them: of those to update the new content. */
export type PlannedChanges = { added: string[]; removed: string[]; updated: StoredPlace[] };

/** `stored` has the JSON of the points to update before the list; `undefined` when nothing changes. */
export function changesOf(
  { added, removed, updated }: PlannedChanges,
  stored: ReadonlyMap<string, string>,
): ListChanges | undefined {
  if (added.length + removed.length + updated.length === 0) return undefined;
  const withMembers = updated.map(({ itemId, json }) => ({
    itemId,
    members: changedMembers(stored.get(itemId), json),
  }));
  return {
    ...(added.length > 0 ? { added } : {}),
    ...(removed.length > 0 ? { removed } : {}),
    ...(updated.length > 0 ? { updated: withMembers } : {}),
  };
}

function changedMembers(before: string | undefined, after: string): string[] {
  const old = membersIn(before);
  const now = membersIn(after);
  return Object.keys(PlaceInfo.shape).filter((name) => old.get(name) !== now.get(name));
}

/** The JSON of each member. A place is stored with its members in the schema's order. */
function membersIn(json: string | undefined): Map<string, string> {
  const { placeInfo } = json === undefined ? { placeInfo: {} } : Place.parse(JSON.parse(json));
  return new Map(Object.entries(placeInfo).map(([name, value]) => [name, JSON.stringify(value)]));
}
