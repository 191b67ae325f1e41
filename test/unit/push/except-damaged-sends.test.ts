import { expect, test } from 'vitest';
import { exceptDamagedSends } from '../../../shared/push/except-damaged-sends.ts';

test.each([
  ['of one partner are its failure', ['bars-1', 'bars-2'], 'bars'],
  ['of two partners are nobody’s in particular', ['bars-1', 'bakery-1'], undefined],
  ['of a partner that cannot be read are nobody’s in particular', ['gone'], undefined],
])('damaged sends %s', async (_what, sendIds, partnerId) => {
  const fields: Record<string, unknown> = {};
  const failures: unknown[] = [];
  const delivery = {
    work: { addFields: (more: object) => Object.assign(fields, more) },
    fail: (error: unknown) => failures.push(error),
  };
  const ownerOf = async (sendId: string) => {
    if (sendId === 'gone') throw new Error('throttled');
    return sendId.split('-')[0];
  };
  await exceptDamagedSends(delivery as never, { ownerOf }, sendIds, () => {
    throw new RangeError('torn');
  });
  expect(fields).toEqual({ failedSendIds: sendIds, partnerId });
  expect(failures).toHaveLength(sendIds.length);
});
