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

function documentWith(request: Schema, response: Schema): Document {
  const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
  return {
    paths: {
      '/points': {
        post: {
          requestBody: { required: true, ...json(request) },
          responses: { 200: json(response), 409: {} },
        },
      },
    },
    components: { schemas: { Point: point } },
  };
}

const before = documentWith({ $ref: '#/components/schemas/Point' }, { $ref: '#/components/schemas/Point' });

type Case = [title: string, after: Document, breaks: string[]];

test.each<Case>([
  ['the same', before, []],
  ['an operation that is gone', { ...before, paths: {} }, ['POST /points: is gone']],
  [
    'members more, optional in the request',
    documentWith(
      { ...point, properties: { ...point.properties, note: { type: 'string' } } },
      { ...point, required: ['name', 'id'], properties: { ...point.properties, id: { type: 'string' } } },
    ),
    [],
  ],
  [
    'a member that is gone',
    documentWith({ ...point, properties: { name: { type: 'string' } } }, point),
    ['POST /points request.kind: is gone'],
  ],
  [
    'a member that a request must have',
    documentWith({ ...point, required: ['name', 'kind'] }, point),
    ['POST /points request.kind: is required now'],
  ],
  [
    'a member that a response may lack',
    documentWith(point, { ...point, required: [] }),
    ['POST /points 200.name: may be absent now'],
  ],
  [
    'another type',
    documentWith(
      { ...point, properties: { ...point.properties, name: { type: 'integer', format: 'int64' } } },
      point,
    ),
    ['POST /points request.name: was string, is integer (int64)'],
  ],
  [
    'a value less in a request and one more in a response',
    documentWith(
      { ...point, properties: { ...point.properties, kind: { type: 'string', enum: ['bar'] } } },
      {
        ...point,
        properties: { ...point.properties, kind: { type: 'string', enum: ['bar', 'shop', 'café'] } },
      },
    ),
    [
      'POST /points request.kind: allowed bar, shop, allows bar',
      'POST /points 200.kind: allowed bar, shop, allows bar, shop, café',
    ],
  ],
])('compared with %s', (_title, after, breaks) => {
  expect(breakingChanges(before, after)).toEqual(breaks);
});
