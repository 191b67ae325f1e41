import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { documented } from '../../docs/generate/operations.ts';
import type { Operation } from '../../shared/platform/http/operation.ts';
import { parseInput } from '../../shared/platform/http/request-input.ts';
import { type Form, listForms } from '../../shared/platform/validation/members/known-members.ts';
import { withoutNulls } from '../../shared/platform/validation/members/null-members.ts';

const schema = z.object({
  name: z.optional(z.string()),
  dryRun: z._default(z.boolean(), false),
  endDate: z.optional(z.nullable(z.string())),
  address: z.string(),
  anything: z.optional(z.unknown()),
  list: z.optional(z.array(z.object({ type: z.optional(z.string()) }))),
  free: z.optional(z.looseObject({ known: z.optional(z.string()) })),
});

test.each([
  [{ name: null, dryRun: null, list: null, free: null }, {}],
  [
    { endDate: null, address: null, anything: null, other: null },
    { endDate: null, address: null, anything: null, other: null },
  ],
  [{ free: { known: null, other: null } }, { free: { other: null } }],
  [{ list: [{ type: 'a' }, { type: null }, null, 7] }, { list: [{ type: 'a' }, {}, null, 7] }],
  [JSON.parse('{"__proto__":null,"name":null}'), JSON.parse('{"__proto__":null}')],
  [null, null],
  [[{ name: null }], [{ name: null }]],
])('rule 61: %j is taken as %j', (given, expected) => {
  const before = JSON.stringify(given);
  expect(JSON.stringify(withoutNulls(schema, given))).toBe(JSON.stringify(expected));
  expect(JSON.stringify(given)).toBe(before);
});

test('an array that every schema refuses for its length is not copied', () => {
  const given = { list: Array.from({ length: 100_001 }, () => ({ type: null })) };
  expect(withoutNulls(schema, given)).toBe(given);
});

/** The paths of the members that may be null in a body, but for those in elements of lists. */
function nullable(forms: readonly Form[], path: readonly string[] = []): string[][] {
  return forms.flatMap((form) =>
    'elements' in form
      ? []
      : [
          ...[...form.absentIfNull].map((name) => [...path, name]),
          ...[...form.inner].flatMap(([name, inner]) => nullable(inner, [...path, name])),
        ],
  );
}

function withMember(body: unknown, [name = '', ...rest]: readonly string[], value: unknown): object {
  const inner = Object(body)[name];
  return { ...Object(body), [name]: rest.length === 0 ? value : withMember(inner, rest, value) };
}

const bodies = documented.flatMap(({ operation: op, requestExample: body }) => {
  // Those of lists of messages are members of their elements.
  const object = Array.isArray(body) ? body[0] : body;
  const schemaOfObject = (op as Operation).body;
  if (!schemaOfObject) return [];
  const forms = listForms(schemaOfObject).flatMap((form) => ('elements' in form ? form.elements : [form]));
  return nullable(forms).map((path) => ({ op: op as Operation, path, object, isList: Array.isArray(body) }));
});

test.each(bodies)(
  'rule 61: in the body of $op.id null in $path is as if it were absent',
  ({ op, path, object, isList }) => {
    const parsed = (value: unknown) => {
      const body = withMember(object, path, value);
      const text = JSON.stringify(isList ? [body] : body);
      return parseInput(op, {}, { text, who: { limits: {} }, nowMs: Date.parse('2026-05-20T12:00:00Z') });
    };
    expect(parsed(null)).toEqual(parsed(undefined));
  },
);
