import { minuteLimit } from '../../platform/http/minute-limit.ts';

/** Rate limit for test callbacks, so that a partner cannot use us to flood a third party. */
export const testsPerMinute = 10;

export const callbackTests = minuteLimit('CALLBACKTESTS', testsPerMinute);
