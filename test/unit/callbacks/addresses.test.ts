import { expect, test } from 'vitest';
import { refusal } from '../../../shared/platform/egress/address-rules.ts';
import { addressPolicy } from '../../../shared/platform/egress/public-address.ts';

const everywhere = addressPolicy('public');
const local = addressPolicy('loopback-too');

const needsPort =
  'must begin with https://; http://, which only a local run takes, needs a port from 1024 on';

// The spellings of addresses, and every block of them, are in test/security/egress.
test.each([
  ['https://partner.example/cb', everywhere, undefined],
  ['https://10.0.0.1:80/cb', everywhere, 'must be a public address'],
  [`https://partner.example/${'a'.repeat(2_024)}`, everywhere, undefined],
  [`https://partner.example/${'a'.repeat(2_025)}`, everywhere, 'must have 2048 characters at most'],
  ['http://127.0.0.1:8080/cb', local, undefined],
  ['https://127.0.0.1:22/cb', local, 'must have port 443 or a port from 1024 on'],
  ['http://127.0.0.1/cb', local, needsPort],
  ['http://example.com/x', local, needsPort],
  ['http://10.0.0.1:8080/cb', local, 'must be a public address'],
])('rule 25: of %s', (address, policy, sentence) => {
  expect(refusal(address, policy)).toBe(sentence);
});

test('a policy nobody wrote stops the function at its start', () => {
  expect(() => addressPolicy('anything')).toThrow('unknown CALLBACK_ADDRESSES: anything');
});
