import { expect, test } from 'vitest';
import { promotionOperations } from '../../docs/generate/operations/promotions.ts';
import { responsesOf } from '../../docs/generate/responses.ts';

test.each(promotionOperations.map((entry) => [entry.operation.id, entry] as const))(
  'the examples of %s are valid by the schemas that validate',
  (_id, { operation, requestExample, responseExample }) => {
    if (operation.body) expect(operation.body.safeParse(requestExample).error).toBeUndefined();
    expect(operation.response.safeParse(responseExample).error).toBeUndefined();
  },
);

test('a failure that the contract answers with an empty body is documented without content', () => {
  const [active] = promotionOperations;
  const responses = active && responsesOf(active.operation, { schema: {}, example: {} });
  expect(responses?.['404']).toEqual({
    description: "`NO_ACTIVE_PROMOTIONS`: None of the partner's promotions is active. The body is empty.",
    headers: { 'x-error': { $ref: '#/components/headers/x-error' } },
  });
  expect(responses?.['500']).toHaveProperty('content');
});
