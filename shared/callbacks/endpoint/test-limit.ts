import { minuteLimit } from '../../platform/limits/minute-limit.ts';

/* Rate limits for tests and examinations of an endpoint, so that a partner cannot use us to flood a third party. */

const tests = { most: 10, field: 'callbacks', things: 'tests', again: 'test' };
export const callbackTests = minuteLimit('CALLBACKTESTS', 'TEST_LIMIT_EXCEEDED', tests);

const examinations = {
  most: 5,
  windowMinutes: 10,
  field: 'callbacks',
  things: 'examinations',
  again: 'examine',
};
export const callbackExaminations = minuteLimit('EXAMINATIONS', 'TEST_LIMIT_EXCEEDED', examinations);
