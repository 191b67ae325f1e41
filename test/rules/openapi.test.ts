import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openApi, openApiText } from '../../docs/generate/openapi.ts';
import { documented } from '../../docs/generate/operations.ts';

type Responses = Record<string, { content?: { 'application/json': { examples?: Record<string, unknown> } } }>;

test('docs/openapi.json is what the schemas say today (npm run docs writes it)', () => {
  expect(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')).toBe(openApiText());
});

test.each(documented.map((entry) => [entry.operation.id, entry] as const))(
  'the examples of %s are valid by the schemas that validate',
  (_id, { operation, requestExample, answerExample }) => {
    if (operation.body) expect(operation.body.safeParse(requestExample).error).toBeUndefined();
    expect(operation.answer.safeParse(answerExample).error).toBeUndefined();
  },
);

test.each(documented.map(({ operation }) => [operation.id, operation] as const))(
  'every failure of %s is documented with an example',
  (_id, operation) => {
    const [method = '', path = ''] = operation.route.split(' ');
    const paths = openApi()['paths'] as Record<string, Record<string, { responses: Responses }>>;
    const responses = paths[path]?.[method.toLowerCase()]?.responses ?? {};
    const examples = Object.values(responses).flatMap(({ content }) =>
      Object.keys(content?.['application/json'].examples ?? {}),
    );
    const withBody = operation.failures.filter((code) => !operation.emptyBodyFor?.includes(code));
    expect(examples).toEqual(expect.arrayContaining([...withBody, 'INTERNAL_ERROR']));
  },
);
