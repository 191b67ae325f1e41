import { expect, test } from 'vitest';
import { damagedTexts, mayBeDamaged } from '../../shared/platform/validation/damaged-text.ts';

function paths(json: string): string[] {
  return (mayBeDamaged(json) ? damagedTexts(JSON.parse(json)) : []).map(({ path }) => path.join('.'));
}

test('rule 7: U+FFFD is found in texts and in names, however JSON has it', () => {
  expect(paths('{"a": ["ok", "\ufffd"], "b": {"c": "x\\uFFFDy"}, "d": {"\\ufffd": 1}}')).toEqual([
    'a.1',
    'b.c',
    'd',
  ]);
});

test('rule 7: half of a surrogate pair is found like U+FFFD, and a whole pair is a text', () => {
  const half = 'must be valid Unicode (it holds half of a surrogate pair)';
  const json = String.raw`{"a": "\ud83d", "b": ["\uDE00x"], "c": {"\udbff": 1}, "d": "\ud83d\ude00"}`;
  expect(paths(json)).toEqual(['a', 'b.0', 'c']);
  expect(damagedTexts(JSON.parse(json)).map(({ message }) => message)).toEqual([half, half, half]);
});

test('an escaped backslash before ufffd is a text like any other', () => {
  expect(paths('{"a": "\\\\ufffd"}')).toEqual([]);
});

test('twenty are enough to say what is wrong, and depth is no limit', () => {
  expect(paths(JSON.stringify(Array.from({ length: 1_000 }, () => '\ufffd')))).toHaveLength(20);
  const deep = 100_000;
  expect(paths(`${'['.repeat(deep)}"\ufffd"${']'.repeat(deep)}`)).toEqual([
    Array.from({ length: 32 }, () => 0).join('.'),
  ]);
});
