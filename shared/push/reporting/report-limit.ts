import { windowLimit } from '../../platform/limits/window-limit.ts';

/** A report of 40,000 recipients reads 1,080 units: this many are 2,160 a second, of the 12,000 of a new table. */
const limit = { most: 120, field: 'messageId', things: 'reports', again: 'ask' };
export const reportLimit = windowLimit('REPORTS', 'REPORT_LIMIT_EXCEEDED', limit);
