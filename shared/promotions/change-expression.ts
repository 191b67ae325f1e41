import type { PromotionChanges } from './promotion.ts';

type Condition = { expression: string; values: Record<string, unknown> };

export function changesSomething(changes: PromotionChanges): boolean {
  return Object.values(changes).some((value) => value !== undefined);
}

/**
 * Sets fields that have a value, removes those that are null and keeps those that are undefined, of an existing
 * row.
 */
export function changeExpression(changes: PromotionChanges, condition?: Condition) {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const set = given.filter(([, value]) => value !== null);
  const removed = given.filter(([, value]) => value === null);
  const values = {
    ...Object.fromEntries(set.map(([field, value]) => [`:${field}`, value])),
    ...condition?.values,
  };
  return {
    UpdateExpression: [
      ...(set.length > 0 ? [`SET ${set.map(([field]) => `#${field} = :${field}`).join(', ')}`] : []),
      ...(removed.length > 0 ? [`REMOVE ${removed.map(([field]) => `#${field}`).join(', ')}`] : []),
    ].join(' '),
    // `name` is a reserved word of DynamoDB; with an alias for every field there is no list of such words to
    // keep.
    ExpressionAttributeNames: Object.fromEntries(given.map(([field]) => [`#${field}`, field])),
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
    ConditionExpression: `attribute_exists(pk)${condition ? ` AND (${condition.expression})` : ''}`,
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
