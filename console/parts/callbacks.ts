import type { Answer } from '../api/operations.ts';

/** Whether nothing more can become of the callbacks of a message, unless someone replays them. */
export function haveEnded(page: Answer<'GET /callbacks'> | undefined): boolean {
  const states = new Set(page?.callbacks.map(({ state }) => state));
  return states.size === 2 && page?.callbacks.every(({ status }) => status !== 'waiting') === true;
}
