import { expect, test } from 'vitest';
import { countTowardsRate, type PushContent } from '../../../shared/push/sending/push-content.ts';
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
