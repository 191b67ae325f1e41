import { expect, test } from 'vitest';
import { updateIfStill } from '../../../shared/platform/table/rows.ts';
import { LaterState } from '../../../shared/push/history.ts';
import { stateAttribute } from '../../../shared/push/message-states.ts';

test('what a restore writes of the widest row, 40 states of each kind, fits into an expression of 4 kB and 300 operators', () => {
  const numbers = Array.from({ length: 40 }, (_, n) => n);
  const names = LaterState.options.flatMap((state) => numbers.map((n) => stateAttribute(state, n)));
  const set = Object.fromEntries(names.map((name) => [name, 1]));
  const { UpdateExpression, ConditionExpression } = updateIfStill({ pk: 'STATES#' }, { set });
  expect(names).toHaveLength(160);
  expect(UpdateExpression.length).toBeLessThan(4_096);
  expect(ConditionExpression.length).toBeLessThan(100);
});
