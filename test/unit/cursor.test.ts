import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { cursor, cursorOf } from '../../shared/platform/validation/cursor.ts';

const numbers = { list: 'numbers', position: z.int() };
const letters = { list: 'letters', position: z.int() };
const texts = { list: 'texts', position: z.string() };
const schema = z.object({ cursor: cursor(numbers) });

test.each([
  ['of another list', cursorOf(letters, 42)],
  ['of no position', Buffer.from('["numbers","a"]').toString('base64url')],
  ['with characters that base64url does not have', `${cursorOf(numbers, 42)}!`],
  ['that is plain text', '42'],
])('a cursor %s is not ours', (_what, given) => {
  expect(schema.safeParse({ cursor: given }).error?.issues).toMatchObject([
    { path: ['cursor'], message: 'must be the cursor of the page before, unchanged' },
  ]);
});

test('a cursor with half of a surrogate pair is not ours: no key of the table can have it', () => {
  const schemaOfTexts = z.object({ cursor: cursor(texts) });
  const text = '\\ud800 😀 \ufffd';
  expect(schemaOfTexts.parse({ cursor: cursorOf(texts, text) })).toEqual({ cursor: text });
  expect(schemaOfTexts.safeParse({ cursor: cursorOf(texts, '\ud800') }).success).toBe(false);
});
