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

/** A document whose one operation takes and returns a point. */
function documentWith(request: Partial<Schema>, response: Partial<Schema>): Document {
  const json = (schema: Partial<Schema>) => ({ content: { 'application/json': { schema } } });
  const post = {
    requestBody: { required: true, ...json({ type: 'object', ...request }) },
    responses: { 200: json({ type: 'object', ...response }), 409: {} },
  };
  return { paths: { '/points': { post } }, components: { schemas: {} } };
}

const [name, note] = [{ type: 'string' }, { type: 'string' }];

function kind(...values: string[]) {
  return { type: 'string', enum: values };
}

test('what breaks a client is told: in requests what is required or refused now, in responses what may be absent or new', () => {
  const before = documentWith(
    { required: ['name'], properties: { name, note, kind: kind('bar', 'shop') } },
    { required: ['name', 'kind', 'note'], properties: { name, note, kind: kind('bar', 'shop') } },
  );
  const after = documentWith(
    { required: ['name', 'kind'], properties: { name, kind: kind('bar'), more: note } },
    {
      required: ['name', 'kind', 'more'],
      properties: { name: { type: 'integer', format: 'int64' }, note, kind: kind('bar', 'café'), more: note },
    },
  );
  expect(breakingChanges(before, after).sort()).toEqual([
    'POST /points 200.kind: allowed bar, shop, allows bar, café',
    'POST /points 200.name: was string, is integer (int64)',
    'POST /points 200.note: may be absent now',
    'POST /points request.kind: allowed bar, shop, allows bar',
    'POST /points request.kind: is required now',
    'POST /points request.note: is gone',
  ]);
  expect(breakingChanges(before, { paths: {}, components: { schemas: {} } })).toEqual([
    'POST /points: is gone',
  ]);
});
