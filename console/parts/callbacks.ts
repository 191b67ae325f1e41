import type { ResponseTo } from '../api/operations.ts';

/** True if no callback of a message can change any more, unless a user replays it. */
export function haveEnded(page: ResponseTo<'GET /callbacks'> | undefined): boolean {
  const states = new Set(page?.callbacks.map(({ state }) => state));
  return states.size === 2 && page?.callbacks.every(({ status }) => status !== 'waiting') === true;
}
