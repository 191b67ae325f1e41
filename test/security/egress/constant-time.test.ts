import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test } from 'vitest';
import { digestOf, matchAmong } from '../../../shared/partners/credentials.ts';

const credentials = { login: 'bars', secret: 'HFOLRH_okKFGY6nHFOLRH_okKFGY6nHFOLRH_okKFGY' };
const right = digestOf(credentials);
const wrong = digestOf({ ...credentials, secret: 'another' });

/** Counts calls of Node's comparison in constant time. */
function countComparisons() {
  const { timingSafeEqual } = crypto;
  const compared: string[] = [];
  crypto.timingSafeEqual = (stored, given) => {
    compared.push(Buffer.from(stored as Buffer).toString());
    return timingSafeEqual(stored, given);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    crypto.timingSafeEqual = timingSafeEqual;
    syncBuiltinESMExports();
  });
  return compared;
}

test.each([
  ['the first of two matches', [right, wrong], 0],
  ['the second of two matches', [wrong, right], 1],
  ['none matches', [wrong, wrong], -1],
])('every active digest is compared in constant time, even after a match: %s', (_what, digests, match) => {
  const compared = countComparisons();
  expect(matchAmong(credentials, digests)).toBe(match);
  expect(compared).toEqual(digests);
});

test.each([
  ['no digest', []],
  ['an empty digest', ['']],
  ['the beginning of the digest', [right.slice(0, 42)]],
  ['the digest and more', [`${right}A`]],
  ['the secret itself', [credentials.secret]],
  ['the digest of the same secret under another login', [digestOf({ ...credentials, login: 'bakery' })]],
])('%s authorizes no one', (_what, digests) => {
  expect(matchAmong(credentials, digests)).toBe(-1);
});
