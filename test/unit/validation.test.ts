import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { formatIssues, parse } from '../../shared/platform/validation/format-issues.ts';
import { isNestedWithin } from '../../shared/platform/validation/nesting.ts';
import { queryFlag } from '../../shared/platform/validation/query-flag.ts';
import { queryNumber } from '../../shared/platform/validation/query-number.ts';
import { text, visibleText } from '../../shared/platform/validation/text.ts';

function errorsOf(schema: z.ZodMiniType, value: unknown) {
  const parsed = parse(schema, value);
  return parsed.success ? [] : formatIssues(parsed.error);
}

test.each([
  ['😀😀😀😀', true],
  ['😀😀😀😀😀', false],
  ['e\u0301e\u0301e', false],
  [' \u00a0\n', false],
])('visible text of at most 4 characters: %j is %s', (value, fits) => {
  expect(visibleText(4).safeParse(value).success).toBe(fits);
});

test('a number in a query is written in digits, within its bounds', () => {
  const limit = queryNumber({ min: 1, max: 100, standard: 20 });
  const others = ['', '0', '101', '1e1', '5.5', '+5', ' 5', '0x10', '-5', '0000000001'];
  expect(others.filter((sent) => limit.safeParse(sent).success)).toEqual([]);
  expect(['1', '100', undefined].map((sent) => limit.parse(sent))).toEqual([1, 100, 20]);
});

test('values are nested at most 32 levels deep, in the deepest of which a number may be as it was sent', () => {
  const nested = (levels: number): unknown => (levels === 0 ? JSON.rawJSON('1.10') : [nested(levels - 1)]);
  expect([32, 33].map((levels) => isNestedWithin(nested(levels)))).toEqual([true, false]);
});

describe('a sentence', () => {
  const schema = z.object({
    list: z.array(z.object({ name: text(1, 3), size: z.int().check(z.maximum(9)) })).check(z.maxLength(2)),
    kind: z.optional(z.enum(['A', 'B'])),
    dryRun: z.optional(z.boolean()),
  });

  test('names the field by its path and says what to do', () => {
    const list = [{ name: 'abcd', size: 'x' }, { size: 10.5 }];
    expect(errorsOf(schema, { list, kind: 'C', dryRun: 'yes' })).toEqual([
      'list[0].name: must have 1 to 3 characters, it has 4 (counted in Unicode code points)',
      'list[0].size: must be a number',
      'list[1].name: required',
      'list[1].size: must be a whole number',
      'kind: must be one of A, B',
      'dryRun: must be true or false',
    ]);
  });

  test.each([
    [1, 'character', 'element'],
    [2, 'characters', 'elements'],
  ])('says how many characters and elements are missing: %d %s', (n, characters, elements) => {
    const least = z.minLength(n);
    const short = z.object({ name: z.string().check(least), list: z.array(z.int()).check(least) });
    expect(errorsOf(short, { name: '', list: [] })).toEqual([
      `name: must have at least ${n} ${characters}`,
      `list: must have at least ${n} ${elements}`,
    ]);
  });

  test('for the whole body calls it the body', () => {
    expect(errorsOf(schema, null)).toEqual(['body: must be an object']);
    expect(errorsOf(schema, [])).toEqual(['body: must be an object, not an array']);
    expect(errorsOf(z.array(schema), {})).toEqual(['body: must be an array, not an object']);
    expect(errorsOf(z.array(schema), 1)).toEqual(['body: must be an array']);
  });

  test('about a misspelt member stands instead of that about the missing one', () => {
    const meant = { path: ['nane'], message: 'unknown, did you mean name?', insteadOf: ['name'] };
    const missing = { path: ['name'], message: 'required' };
    expect(formatIssues({ issues: [missing, meant] })).toEqual(['nane: unknown, did you mean name?']);
  });

  test('names what a value may be', () => {
    const schema = z.object({ id: z.int(), kind: z.enum(['A', 'B']) });
    expect(errorsOf(schema, { id: Number.POSITIVE_INFINITY })).toEqual([
      'id: is out of range',
      'kind: required, one of A, B',
    ]);
  });

  test('is one of at most 20, the rest is counted', () => {
    const texts = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`member${n}`, z.string()]));
    const many = errorsOf(z.object(texts), {});
    expect(many).toHaveLength(21);
    expect(many.at(-1)).toBe('and 5 more');
  });

  test('is shared by the elements of a list with the same issue, which it names by their positions', () => {
    const element = z.object({ name: z.string(), tags: z.optional(z.array(z.string())) });
    const elements = [{ name: 1 }, { name: 2 }, { name: 'a', tags: [1, 'b', 1] }, { name: 3 }, {}];
    expect(errorsOf(z.object({ list: z.array(element) }), { list: elements })).toEqual([
      'list[0-1,3].name: must be a string',
      'list[2].tags[0]: must be a string',
      'list[2].tags[2]: must be a string',
      'list[4].name: required',
    ]);
    const thousand = Array.from({ length: 1_000 }, () => 1);
    expect(errorsOf(z.array(z.string()), thousand)).toEqual(['[0-999]: must be a string']);
  });

  test('shows the first 100 characters of a name: those of megabytes did not fit into a response', () => {
    const list = z.record(z.string(), z.number());
    expect(errorsOf(z.object({ list }), { list: { ['n'.repeat(900_000)]: '' } })).toEqual([
      `list.${'n'.repeat(100)}...: must be a number`,
    ]);
  });

  test('names a thousand ranges of positions at most', () => {
    const everySecond = Array.from({ length: 2_500 }, (_, n) => (n % 2 === 0 ? 1 : 'a'));
    const [sentence = ''] = errorsOf(z.array(z.string()), everySecond);
    expect(sentence.startsWith('[0,2,4,')).toBe(true);
    expect(sentence.endsWith(',1998,...]: must be a string')).toBe(true);
  });

  test.each(['true', 'false'])(
    'takes %s as the flag of a query, and nothing that only resembles it',
    (text) => {
      const flag = queryFlag('send nothing');
      expect(flag.safeParse(text).data).toBe(text === 'true');
      for (const other of ['1', 'yes', 'on', text.toUpperCase()])
        expect(errorsOf(flag, other)).toEqual(['body: must be one of true, false']);
    },
  );

  test.each([
    ['79001234567', 'must be a JSON number, without quotes'],
    ['-1.5', 'must be a JSON number, without quotes'],
    ['12a', 'must be a number'],
    ['', 'must be a number'],
  ])('of a number that was sent as the text %j: %s', (value, sentence) => {
    expect(errorsOf(z.object({ size: z.number() }), { size: value })).toEqual([`size: ${sentence}`]);
  });
});
