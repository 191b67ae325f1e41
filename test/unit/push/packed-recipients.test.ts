import { expect, test } from 'vitest';
import {
  eraseNumber,
  packRecipients,
  recipientAt,
  unpackRecipients,
} from '../../../shared/push/packed-recipients.ts';

const recipients = [
  { msisdn: 1_000_000, registered: true },
  { msisdn: 999_999_999_999_999, registered: false },
  { msisdn: 79_001_234_567, registered: true },
];

test('a recipient takes eight bytes, and is found by its position up to the last', () => {
  const packed = packRecipients(recipients);
  expect(packed).toHaveLength(24);
  expect(unpackRecipients(packed)).toEqual(recipients);
  expect([0, 1, 2, 3].map((n) => recipientAt(packed, n))).toEqual([...recipients, undefined]);
  // A row that was cut has only its whole recipients.
  expect([unpackRecipients(packed.subarray(0, 23)).length, recipientAt(packed.subarray(0, 23), 2)]).toEqual([
    2,
    undefined,
  ]);
});

test('an erased number leaves the positions of the others as they are', () => {
  const { packed, positions } = eraseNumber(packRecipients(recipients), 999_999_999_999_999);
  expect(positions).toEqual([1]);
  expect([0, 1, 2].map((n) => recipientAt(packed, n)?.msisdn)).toEqual([
    1_000_000,
    undefined,
    79_001_234_567,
  ]);
});
