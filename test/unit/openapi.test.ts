import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { callbackExample } from '../../docs/generate/callback-body.ts';
import { openApi, openApiText } from '../../docs/generate/openapi.ts';
import { documented } from '../../docs/generate/operations.ts';
import { published, schemaFiles } from '../../docs/generate/schemas.ts';
import { bodyOf } from '../../shared/callbacks/callback.ts';

type Responses = Record<string, { content?: { 'application/json': { examples?: Record<string, unknown> } } }>;

test('docs/openapi.json is what the schemas say today (npm run docs writes it)', () => {
  expect(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')).toBe(openApiText());
});

test.each(documented.map((entry) => [entry.operation.id, entry] as const))(
  'the examples of %s are valid by the schemas that validate',
  (_id, { operation, requestExample, responseExample }) => {
    if (operation.body) expect(operation.body.safeParse(requestExample).error).toBeUndefined();
    expect(operation.response.safeParse(responseExample).error).toBeUndefined();
  },
);

const paths = openApi()['paths'] as Record<string, Record<string, { responses: Responses }>>;

test.each(documented.map(({ operation }) => [operation.id, operation] as const))(
  'every failure of %s is documented with an example',
  (_id, operation) => {
    const [method = '', path = ''] = operation.route.split(' ');
    const responses = paths[path]?.[method.toLowerCase()]?.responses ?? {};
    const examples = Object.values(responses).flatMap(({ content }) =>
      Object.keys(content?.['application/json'].examples ?? {}),
    );
    const withBody = (operation.failures ?? []).filter((code) => !operation.emptyBodyFor?.includes(code));
    expect(examples).toEqual(
      expect.arrayContaining([...withBody, operation.unexpectedFailure ?? 'INTERNAL_ERROR']),
    );
  },
);

test.each(schemaFiles().map(({ path, text }) => [path, text] as const))(
  'docs/schemas/%s is what the schemas say today (npm run docs writes it)',
  (path, text) => {
    expect(readFileSync(new URL(`../../docs/schemas/${path}`, import.meta.url), 'utf8')).toBe(text);
  },
);

test.each(published.map(({ name, schema, sample }) => [name, schema, sample] as const))(
  'the sample of %s is valid by its schema',
  (_name, schema, sample) => {
    expect(schema.safeParse(sample).error).toBeUndefined();
  },
);

test('the documented callback is the one that is sent, member by member', () => {
  const body = bodyOf({
    partnerId: 'bars',
    messageId: callbackExample.messageId,
    msisdn: callbackExample.msisdn,
    state: 'DELIVERED',
    changedAt: Date.UTC(2026, 4, 20, 12, 0, 3),
    utm: JSON.stringify(callbackExample.utm),
  });
  expect(body).toBe(JSON.stringify(callbackExample));
});

type Schema = { [keyword: string]: unknown };
const document = openApi();

/** Returns every object in the document with its JSON pointer. */
function nodes(json: unknown, at = '#'): [string, Schema][] {
  if (typeof json !== 'object' || json === null) return [];
  const inner = Object.entries(json).flatMap(([name, value]) => nodes(value, `${at}/${name}`));
  return Array.isArray(json) ? inner : [[at, json as Schema], ...inner];
}

function where(wrong: (node: Schema, at: string) => boolean): string[] {
  return nodes(document)
    .filter(([at, node]) => !/\/examples?\b/.test(at) && wrong(node, at))
    .map(([at]) => at);
}

test('every integer has 64 bits, so that a phone number fits', () => {
  expect(where(({ type, format }) => type === 'integer' && format !== 'int64')).toEqual([]);
});

test('no value is constant, and no object is closed: clients accept what is added later', () => {
  expect(where((node) => 'const' in node || node['additionalProperties'] === false)).toEqual([]);
});

test('every object of a request or response has a name, which is the name of a class for generators', () => {
  const named = /^#\/components\/schemas\/\w+$/;
  expect(where((node, at) => node['type'] === 'object' && !named.test(at))).toEqual([]);
});

test('no schema is named as generators name the response of an operation', () => {
  const taken = documented.map(({ operation }) => `${operation.id}Response`);
  const names = Object.keys((document['components'] as { schemas: object }).schemas);
  expect(names.filter((name) => taken.includes(name))).toEqual([]);
});

test('named lists of values share no value, as Go makes them constants of one package', () => {
  const lists = nodes(document).filter(
    ([at, node]) => 'enum' in node && /^#\/components\/schemas\/\w+$/.test(at),
  );
  const values = lists.flatMap(([, node]) => node['enum'] as string[]);
  expect(values.length).toBeGreaterThan(8);
  expect(new Set(values).size).toBe(values.length);
});
