import { expect, test } from 'vitest';
import { promotionOperations } from '../../docs/generate/operations/promotions.ts';
import { responsesOf } from '../../docs/generate/responses.ts';

test('a failure that the contract answers with an empty body is documented without content', () => {
  const [active] = promotionOperations;
  const responses = active && responsesOf(active.operation, { schema: {}, example: {} });
  expect(responses?.['404']).toEqual({
    description: "`NO_ACTIVE_PROMOTIONS`: None of the partner's promotions is active. The body is empty.",
    headers: { 'x-error': { $ref: '#/components/headers/x-error' } },
  });
  expect(responses?.['500']).toHaveProperty('content');
});
