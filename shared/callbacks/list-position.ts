/**
 * The place of a callback in the list: by time, then by the stream that it comes from. Callbacks of one time and stream
 * stay in the order in which they are read.
 */
export type ListPosition = { changedAt: number; stream: number; id: string };

/** For sorting: newest first. */
export function byPosition(a: ListPosition, b: ListPosition): number {
  return b.changedAt - a.changedAt || a.stream - b.stream;
}
