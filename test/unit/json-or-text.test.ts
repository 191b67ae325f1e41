import { expect, test } from 'vitest';
import { jsonOrText } from '../../shared/platform/json/json-or-text.ts';

test.each([
  ['{"a":1}', { a: 1 }],
  ['null', null],
  ['"text"', 'text'],
  ['text', 'text'],
  ['', ''],
])('%j is read as %j, whether it is JSON or not', (text, value) => {
  expect(jsonOrText(text)).toEqual(value);
});
