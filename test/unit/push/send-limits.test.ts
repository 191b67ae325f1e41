import { expect, test } from 'vitest';
import {
  countTowardsRate,
  Msisdn,
  type PushContent,
  tooLarge,
} from '../../../shared/push/sending/push-content.ts';
import { refuseBatch } from '../../../shared/push/sending/push-request.ts';

/** A content whose payload, qos and utm take this many bytes. */
function contentOf(bytes: number): PushContent {
  const content = (title: string): PushContent => ({ pushType: 'SERVICE', payload: { title, message: 'b' } });
  const own = Buffer.byteLength(JSON.stringify({ payload: content('').payload }));
  return content('a'.repeat(bytes - own));
}

test('rule 49: a message counts once for each started 1,024 bytes of payload, qos and utm', () => {
  expect([100, 1_024, 1_025, 2_048, 2_049, 4_096].map((bytes) => countTowardsRate(contentOf(bytes)))).toEqual(
    [1, 1, 2, 2, 3, 4],
  );
});

test('payload, qos and utm take 4,096 bytes at most', () => {
  expect(tooLarge(contentOf(4_096))).toBeUndefined();
  expect(tooLarge(contentOf(4_097))).toBe('payload, qos and utm: 4097 bytes, the limit is 4096 bytes in all');
});

test('a number has 7 to 15 digits', () => {
  const numbers = [999_999, 1_000_000, 999_999_999_999_999, 1_000_000_000_000_000, 7_900_123.5];
  expect(numbers.map((msisdn) => Msisdn.safeParse(msisdn).success)).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});

test('a request has as many recipients as was agreed or is usual, and never more than 40,000', () => {
  const refused = (agreed: number | undefined, count: number) =>
    refuseBatch({ bulkRecipients: agreed }, 'bulkRecipients', count)?.errors;
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
  expect(refuseBatch({}, 'multiMessages', 1_000)).toBeUndefined();
  expect(refuseBatch({}, 'multiMessages', 1_001)).toMatchObject({ failure: 'BATCH_SIZE_EXCEEDED' });
});
