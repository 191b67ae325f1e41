import { expect, test } from 'vitest';
import { listing, plainTable, printable } from '../../ops/cli/formats.ts';

test("a text of a partner cannot move the cursor, add a line or turn the direction of an operator's terminal", () => {
  const text = 'till\n  State  enabled\u001B[1A\u009B2K\u202Emoc\u2028';
  const shown = 'till\\u000a  State  enabled\\u001b[1A\\u009b2K\\u202emoc\\u2028';
  expect(listing([['Label', text]])).toBe(`  Label  ${shown}`);
  expect(plainTable(['LABEL'], [[text], ['Касса 1 😀']])).toBe(`LABEL\n${shown}\nКасса 1 😀`);
  expect(printable(text)).toBe(shown.replace('\\u000a', '\n'));
  const json = printable(JSON.stringify({ label: text }, null, 2));
  expect(json).toBe(`{\n  "label": "${shown.replace('\\u000a', '\\n')}"\n}`);
  expect(JSON.parse(json)).toEqual({ label: text });
});
