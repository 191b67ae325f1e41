import { changeOf } from '../platform/table/condition.ts';
import type { PromotionChanges } from './promotion.ts';

type Condition = { expression: string; values: Record<string, unknown> };

export function changesSomething(changes: PromotionChanges): boolean {
  return Object.values(changes).some((value) => value !== undefined);
}

/** The change of a row that exists, under a condition. */
export function changeExpression(changes: PromotionChanges, condition?: Condition) {
  const { ExpressionAttributeValues, ...change } = changeOf(changes);
  const values = { ...ExpressionAttributeValues, ...condition?.values };
  return {
    ...change,
    ConditionExpression: `attribute_exists(pk)${condition ? ` AND (${condition.expression})` : ''}`,
    // DynamoDB refuses an empty list of values.
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  };
}

/**
 * The condition that the end is after the start, when only one of them changes; when both do, the request was
 * checked.
 */
export function orderCondition({ startsAt, endsAt }: PromotionChanges): Condition | undefined {
  if (startsAt && endsAt === undefined) {
    return {
      expression: 'attribute_not_exists(endsAt) OR endsAt.ms > :startMs',
      values: { ':startMs': startsAt.ms },
    };
  }
  if (endsAt && startsAt === undefined) {
    return { expression: 'startsAt.ms < :endMs', values: { ':endMs': endsAt.ms } };
  }
  return undefined;
}
