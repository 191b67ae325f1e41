/** The place of a callback in the list: by time, then by id. */
export type ListPosition = { changedAt: number; id: string };

/** For sorting: newest first. Ids are ASCII, which the table sorts as this does. */
export function byPosition(a: ListPosition, b: ListPosition): number {
  if (a.changedAt !== b.changedAt) return b.changedAt - a.changedAt;
  if (a.id === b.id) return 0;
  return a.id > b.id ? -1 : 1;
}

export function isAfter(one: ListPosition, other: ListPosition | undefined): boolean {
  return other === undefined || byPosition(one, other) > 0;
}
