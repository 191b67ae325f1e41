import { expect, test } from 'vitest';
import { still } from '../../../shared/platform/table/rows.ts';
import { LaterState } from '../../../shared/push/history.ts';
import { stateAttribute } from '../../../shared/push/message-states.ts';

test('the condition of a restore for the widest row, 40 states of each kind, fits into an expression of 4 kB', () => {
  const numbers = Array.from({ length: 40 }, (_, n) => n);
  const names = LaterState.options.flatMap((state) => numbers.map((n) => stateAttribute(state, n)));
  const live = { pk: 'STATES#', sk: '-', partnerId: 'bars', expiresAt: 1, requestId: 'r', toCallBack: 1 };
  const { ConditionExpression } = still({
    ...Object.fromEntries(names.map((name) => [name, undefined])),
    ...live,
  });
  expect(names).toHaveLength(120);
  expect(ConditionExpression.length).toBeGreaterThan(3_500);
  expect(ConditionExpression.length).toBeLessThan(4_096);
});
