import { expect, test } from 'vitest';
import { refuseBatch } from '../../../shared/push/sending/push-request.ts';

test('a request has as many recipients as was agreed or is usual, and never more than 40,000', () => {
  const refused = (agreed: number | undefined, count: number) =>
    refuseBatch({ bulkRecipients: agreed }, 'bulkRecipients', new Array(count))?.errors;
  expect([refused(undefined, 10_000), refused(20_000, 20_000), refused(50_000, 40_000)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([refused(undefined, 10_001), refused(20_000, 20_001), refused(50_000, 40_001)]).toEqual([
    ['msisdn: 10001 recipients, the limit is 10000 a request; send several requests'],
    ['msisdn: 20001 recipients, the limit is 20000 a request; send several requests'],
    ['msisdn: 40001 recipients, the limit is 40000 a request; send several requests'],
  ]);
  expect(refuseBatch({}, 'multiMessages', new Array(1_000))).toBeUndefined();
  expect(refuseBatch({}, 'multiMessages', new Array(1_001))).toMatchObject({
    failure: 'BATCH_SIZE_EXCEEDED',
  });
});
