import { expect, test } from 'vitest';
import { routeTable } from '../../local/http/route-table.ts';

const keys = ['GET /', 'GET /files', 'GET /files/{name}', 'GET /files/{rest+}', 'GET /files/list'];
const find = routeTable(keys.map((key) => ({ key, functionName: 'f', authorizer: 'none' })));

test.each([
  ['/', 'GET /', {}],
  ['/files', 'GET /files', {}],
  ['/files/list', 'GET /files/list', {}],
  ['/files/a', 'GET /files/{name}', { name: 'a' }],
  ['/files/a/b%20c', 'GET /files/{rest+}', { rest: 'a/b%20c' }],
  ['/files/a/b\nc', 'GET /files/{rest+}', { rest: 'a/b\nc' }],
])(
  '%s is for %s: a name comes before a variable, and {rest+} takes what no other route does',
  (path, key, pathParameters) => {
    expect(find('GET', path)).toMatchObject({ route: { key }, pathParameters });
  },
);

test('a route with {rest+} needs something to take', () => {
  expect(find('GET', '/files/')).toBeUndefined();
  expect(find('GET', '/other/a/b')).toBeUndefined();
});
