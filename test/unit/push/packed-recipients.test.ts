import { expect, test } from 'vitest';
import { packRecipients, recipientAt, unpackRecipients } from '../../../shared/push/packed-recipients.ts';

test('a recipient takes eight bytes, and every number of 7 to 15 digits comes back as it was', () => {
  const recipients = [
    { msisdn: 1_000_000, registered: true },
    { msisdn: 999_999_999_999_999, registered: false },
    { msisdn: 79_001_234_567, registered: true },
  ];
  const packed = packRecipients(recipients);
  expect(packed).toHaveLength(24);
  expect(unpackRecipients(packed)).toEqual(recipients);
  expect([0, 1, 2, 3].map((n) => recipientAt(packed, n))).toEqual([...recipients, undefined]);
});
