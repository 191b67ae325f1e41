import { expect, test } from 'vitest';
import { readJson } from '../../shared/http/request-body.ts';

test('a body may have a million numbers that are not written as a computer writes them, and no more', () => {
  const listOf = (count: number) => `[${'1.0,'.repeat(count - 1)}1.0]`;
  expect(readJson(listOf(1_000_000))).not.toHaveProperty('failure');
  expect(readJson(listOf(1_000_001))).toMatchObject({
    failure: 'BODY_TOO_LARGE',
    errors: ['body: more than 1000000 numbers with zeros or digits that a computer drops; send them without'],
  });
});

test('numbers that would change are found where they are, and none in strings', () => {
  expect(readJson('{"a":1.10,"b":"2.20","c":[3,-0]}')).toMatchObject({
    inexact: [
      { at: 5, source: '1.10' },
      { at: 28, source: '-0' },
    ],
  });
});
