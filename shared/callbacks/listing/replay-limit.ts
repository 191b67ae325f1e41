import { minuteLimit } from '../../platform/limits/minute-limit.ts';

/**
 * Rule 52: the maximum number of callbacks that a partner's replays bring back, so that its requests, which cost a few
 * units, cannot have us send without end. Operators have no limit.
 */
const limit = {
  most: 10_000,
  windowMinutes: 10,
  field: 'callbacks',
  things: 'replays',
  again: 'replay',
};
export const replayLimit = minuteLimit('REPLAYS', 'REPLAY_LIMIT_EXCEEDED', limit);
export type ReplayLimit = ReturnType<typeof replayLimit>;
