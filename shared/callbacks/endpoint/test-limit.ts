import { minuteLimit } from '../../platform/limits/minute-limit.ts';

/** Rate limit for test callbacks, so that a partner cannot use us to flood a third party. */
const limit = { most: 10, field: 'callbacks', things: 'tests', again: 'test' };
export const callbackTests = minuteLimit('CALLBACKTESTS', 'TEST_LIMIT_EXCEEDED', limit);
