import { daysAMonth, type Load } from './load.ts';
import { inAMonth, monthHours, sumUsage, type Usage } from './use.ts';

/**
 * DynamoDB asks for the table's key again when a caller has not used it for five minutes, so 12 times an hour at most;
 * counted twice, because more than one of its hosts may ask. Each function is a caller.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.howitworks.html
 */
const mostKeyRequests = 2 * 12 * daysAMonth * 24;

/** X-Ray traces the first invocation of a function in each second, and a twentieth of the others. */
const tracedShare = 0.05;

/**
 * The requests to the table's key and the traces of each function, in the area in which it runs most, as if it ran in
 * every second in which the area has work.
 */
export function usageOfFunctions(usage: readonly Usage[], { hours, pushDays }: Load): Usage[] {
  const functions = Map.groupBy(usage, ({ run }) => run?.name);
  functions.delete(undefined);
  return [...functions.values()].flatMap((runs) => {
    const [most] = runs.toSorted((one, other) => other.times.month - one.times.month);
    if (!most) return [];
    const { area } = most;
    const invocations = sumUsage(runs, 'invocations', 'month');
    const isOfPushes = ['push', 'receipts', 'callbacks'].includes(area);
    const first = Math.min(invocations, (isOfPushes ? hours * pushDays : monthHours) * 3_600);
    const use = {
      keyRequests: Math.min(invocations, mostKeyRequests),
      traces: first + tracedShare * (invocations - first),
    };
    return [{ area, times: inAMonth(1), use }];
  });
}
