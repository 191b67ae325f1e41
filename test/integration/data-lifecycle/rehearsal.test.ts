import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { promotionKey } from '../../../shared/platform/table/row-keys/promotions.ts';
import { rehearse } from '../../rehearsal/rehearsal.ts';
import { noon } from '../../support/clock.ts';
import { newTable } from '../../support/table.ts';

test('a restore undoes the damage, row by row, and nothing that happened since the copy', async () => {
  const { steps, wrong, leftToDo } = await rehearse(await newTable(), { places: 40, nowMs: noon });
  expect(wrong).toEqual([]);
  expect(leftToDo).toBe(0);
  expect(Object.fromEntries(steps.map(({ what, rows }) => [what, rows]))).toMatchObject({
    'deleted: service points of bars': 40,
    'overwritten: promotions of bakery': 2,
    restored: 42,
  });
});

test('the rehearsal sees a row that did not come back', async () => {
  const { wrong } = await rehearse(await newTable(), {
    places: 40,
    nowMs: noon,
    breakAfterwards: async (live) => {
      await live.client.send(new DeleteCommand({ TableName: live.name, Key: promotionKey('bakery', 1) }));
    },
  });
  expect(wrong).toEqual(['PROMOS#bakery PROMO#0000000001: missing']);
});
