import { expect, test } from 'vitest';
import { compileFilters } from '../../local/streams/event-pattern.ts';

function passes(pattern: object, event: unknown) {
  return compileFilters([JSON.stringify(pattern)])(event);
}

test.each([
  ['one of several texts', { a: ['x', 'y'] }, { a: 'y' }, { a: 'z' }],
  ['every member', { a: ['1'], b: ['2'] }, { a: '1', b: '2' }, { a: '1', b: '3' }],
  ['a nested member', { a: { b: ['x'] } }, { a: { b: 'x' } }, { a: 'x' }],
  ['a member that must be there', { a: ['x'] }, { a: 'x' }, {}],
  ['a member that must not be there', { a: { b: [{ exists: false }] } }, { a: {} }, { a: { b: 'x' } }],
])('an event pattern knows %s', (_name, pattern, matching, other) => {
  expect(passes(pattern, matching)).toBe(true);
  expect(passes(pattern, other)).toBe(false);
});

test('of several patterns one that matches is enough', () => {
  const either = compileFilters(['{"a":["1"]}', '{"b":["2"]}']);
  expect([{ a: '1' }, { b: '2' }, { a: '2' }].map(either)).toEqual([true, true, false]);
});
