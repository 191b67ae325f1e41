import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { breakingChanges } from '../../docs/generate/breaking-changes.ts';
import type { Document, Schema } from '../../docs/generate/breaking-schemas.ts';

function read(name: string) {
  return JSON.parse(readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8'));
}

test('docs/openapi.json breaks no client of the released one, but for docs/openapi.accepted-breaks.json', () => {
  const breaks = breakingChanges(read('openapi.released.json'), read('openapi.json'));
  expect(breaks).toEqual(read('openapi.accepted-breaks.json'));
});

const point = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, kind: { type: 'string', enum: ['bar', 'shop'] } },
};

/** A document with one operation, whose request and response have these members more, or others than a point. */
function documentWith(request: Partial<Schema>, response: Partial<Schema>): Document {
  const json = (schema: Partial<Schema>) => ({
    content: { 'application/json': { schema: { ...point, ...schema } } },
  });
  const post = {
    requestBody: { required: true, ...json(request) },
    responses: { 200: json(response), 409: {} },
  };
  return { paths: { '/points': { post } }, components: { schemas: {} } };
}

const { name, kind } = point.properties;

test.each<[title: string, after: Document, breaks: string[]]>([
  [
    'members more, optional in the request',
    documentWith(
      { properties: { name, kind, note: { type: 'string' } } },
      { required: ['name', 'id'], properties: { name, kind, id: { type: 'string' } } },
    ),
    [],
  ],
  ['an operation that is gone', { paths: {}, components: { schemas: {} } }, ['POST /points: is gone']],
  [
    'a member that is gone or may be absent',
    documentWith({ properties: { name } }, { required: [] }),
    ['POST /points request.kind: is gone', 'POST /points 200.name: may be absent now'],
  ],
  [
    'a member that is required, and another type',
    documentWith(
      { required: ['name', 'kind'] },
      { properties: { name: { type: 'integer', format: 'int64' }, kind } },
    ),
    ['POST /points request.kind: is required now', 'POST /points 200.name: was string, is integer (int64)'],
  ],
  [
    'a value less in a request and one more in a response',
    documentWith(
      { properties: { name, kind: { type: 'string', enum: ['bar'] } } },
      { properties: { name, kind: { type: 'string', enum: ['bar', 'shop', 'café'] } } },
    ),
    [
      'POST /points request.kind: allowed bar, shop, allows bar',
      'POST /points 200.kind: allowed bar, shop, allows bar, shop, café',
    ],
  ],
])('compared with %s', (_title, after, breaks) => {
  expect(breakingChanges(documentWith({}, {}), after)).toEqual(breaks);
});
