import { expect, test } from 'vitest';
import { compare } from '../../ops/data-lifecycle/compare.ts';

test('a restored entry of a partner names the keys made since, too: they work, and could not be ended', () => {
  const entry = { pk: 'PARTNERS', sk: 'bars', partnerId: 'bars', version: 1 };
  const copy = { ...entry, logins: ['bars', 'till'] };
  const puts = (logins: unknown) => compare(copy, { ...entry, version: 3, logins }, 0);
  expect(puts(['bars', 'later'])).toMatchObject({ put: { logins: ['bars', 'till', 'later'] } });
  expect(puts('damaged')).toMatchObject({ put: { logins: ['bars', 'till'] } });
});
