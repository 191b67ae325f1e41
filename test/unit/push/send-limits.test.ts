import { expect, test } from 'vitest';
import { Msisdn } from '../../../shared/push/sending/push-content.ts';
import { refuseBatch } from '../../../shared/push/sending/push-request.ts';

test.each([
  [undefined, 10_000],
  [20_000, 20_000],
  [50_000, 40_000],
])('a request with which %s recipients were agreed has %d', (agreed, most) => {
  const refused = (count: number) =>
    refuseBatch({ bulkRecipients: agreed }, 'bulkRecipients', new Array(count))?.errors;
  expect(refused(most)).toBeUndefined();
  const sentence = `msisdn: ${most + 1} recipients, the limit is ${most} a request; send several requests`;
  expect(refused(most + 1)).toEqual([sentence]);
});

test('a request has 1,000 messages of their own', () => {
  expect(refuseBatch({}, 'multiMessages', new Array(1_000))).toBeUndefined();
  expect(refuseBatch({}, 'multiMessages', new Array(1_001))?.failure).toBe('BATCH_SIZE_EXCEEDED');
});

test('a phone number is a whole number of 7 to 15 digits', () => {
  const taken = [999_999, 1_000_000, 1_000_000.5, 10 ** 15 - 1, 10 ** 15, '79001234567'].filter(
    (value) => Msisdn.safeParse(value).success,
  );
  expect(taken).toEqual([1_000_000, 10 ** 15 - 1]);
});
