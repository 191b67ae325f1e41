import { describe, expect, test } from 'vitest';
import { compileFilters, compilePattern } from '../../local/patterns/event-pattern.ts';

function passes(pattern: object, event: unknown) {
  return compilePattern(JSON.stringify(pattern))(event);
}

describe('an event pattern', () => {
  test.each([
    ['a literal', { a: ['x', 'y'] }, { a: 'y' }, { a: 'z' }],
    ['a number', { a: [1] }, { a: 1 }, { a: '1' }],
    ['null', { a: [null] }, { a: null }, { a: 'null' }],
    ['every member', { a: [1], b: [2] }, { a: 1, b: 2 }, { a: 1, b: 3 }],
    ['a nested member', { a: { b: ['x'] } }, { a: { b: 'x' } }, { a: 'x' }],
    ['one element of an array', { a: ['x'] }, { a: ['w', 'x'] }, { a: ['w'] }],
    ['prefix', { a: [{ prefix: 'PUSH#' }] }, { a: 'PUSH#1' }, { a: 'xPUSH#1' }],
    ['suffix', { a: [{ suffix: '.fifo' }] }, { a: 'q.fifo' }, { a: 'q' }],
    ['prefix without case', { a: [{ prefix: { 'equals-ignore-case': 'ab' } }] }, { a: 'ABc' }, { a: 'b' }],
    ['equals-ignore-case', { a: [{ 'equals-ignore-case': 'ab' }] }, { a: 'AB' }, { a: 'abc' }],
    ['wildcard', { a: [{ wildcard: 'a*c.' }] }, { a: 'abbc.' }, { a: 'abbcx' }],
    ['anything-but', { a: [{ 'anything-but': ['x', 'y'] }] }, { a: 'z' }, { a: 'y' }],
    ['anything-but on a missing member', { a: [{ 'anything-but': 'x' }] }, { a: 'z' }, {}],
    ['anything-but prefix', { a: [{ 'anything-but': { prefix: 'x' } }] }, { a: 'y' }, { a: 'x1' }],
    ['exists', { a: [{ exists: true }] }, { a: null }, {}],
    ['exists false', { a: [{ exists: false }] }, {}, { a: 0 }],
    ['numeric', { a: [{ numeric: ['>', 0, '<=', 5] }] }, { a: 5 }, { a: 5.1 }],
    ['numeric on a text', { a: [{ numeric: ['=', 5] }] }, { a: 5 }, { a: '5' }],
    ['$or', { $or: [{ a: [1] }, { b: [2] }], c: [3] }, { b: 2, c: 3 }, { a: 2, b: 1, c: 3 }],
  ])('knows %s', (_name, pattern, matching, other) => {
    expect(passes(pattern, matching)).toBe(true);
    expect(passes(pattern, other)).toBe(false);
  });

  test('with an unknown operator is refused by the name of the operator', () => {
    expect(() => passes({ a: { b: [{ cidr: '10.0.0.0/8' }] } }, {})).toThrow(
      'The event pattern uses "cidr" at a.b, which the local runner does not know.',
    );
  });

  test('with an unknown comparison is refused', () => {
    expect(() => passes({ a: [{ numeric: ['~', 1] }] }, {})).toThrow('compares with "~" at a');
  });

  test('that is no JSON is refused', () => {
    expect(() => compilePattern('{')).toThrow('The event pattern is not JSON: {');
  });

  test('is enough when one of several passes', () => {
    const either = compileFilters(['{"a":[1]}', '{"b":[2]}']);
    expect([{ a: 1 }, { b: 2 }, { a: 2 }].map(either)).toEqual([true, true, false]);
    expect(compileFilters([])('anything')).toBe(true);
  });
});
