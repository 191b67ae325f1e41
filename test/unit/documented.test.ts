import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { described } from '../../shared/platform/validation/documented.ts';

test('a schema that is described for several members keeps what it said itself, and each member has its own sentence', () => {
  const Id = described(z.string(), 'An identifier');
  const first = described(Id, 'The first');
  const second = described(Id, 'The second');
  const sentences = [Id, first, second].map((schema) => z.globalRegistry.get(schema)?.description);
  expect(sentences).toEqual(['An identifier', 'The first', 'The second']);
  expect(z.safeParse(first, 7).success).toBe(false);
});
