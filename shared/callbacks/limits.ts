import { windowLimit } from '../platform/limits/window-limit.ts';

/* Rate limits for tests and examinations of an endpoint, so that a partner cannot use us to flood a third party. */

const tests = { most: 10, field: 'callbacks', things: 'tests', again: 'test' };
export const callbackTests = windowLimit('CALLBACKTESTS', 'TEST_LIMIT_EXCEEDED', tests);

/** Tests of alerts count together with those of the endpoint. */
export const alertTests = windowLimit('CALLBACKTESTS', 'TEST_LIMIT_EXCEEDED', { ...tests, field: 'alerts' });

const examinations = {
  most: 5,
  windowMinutes: 10,
  field: 'callbacks',
  things: 'examinations',
  again: 'examine',
};
export const callbackExaminations = windowLimit('EXAMINATIONS', 'TEST_LIMIT_EXCEEDED', examinations);

/**
 * Rule 52: the maximum number of callbacks that a partner's replays bring back, so that its requests, which cost a few
 * units, cannot have us send without end. Operators have no limit.
 */
export const replayLimit = windowLimit('REPLAYS', 'REPLAY_LIMIT_EXCEEDED', {
  most: 10_000,
  windowMinutes: 10,
  field: 'callbacks',
  things: 'replays',
  again: 'replay',
});
export type ReplayLimit = ReturnType<typeof replayLimit>;
