import * as z from 'zod/mini';
import { failure } from '../../build/command-line.ts';
import { arn } from './account.ts';
import type { Assembly } from './read-assembly.ts';
import { functionNameIn, readResources } from './read-properties.ts';

const schema = z.strictObject({
  ScheduleExpression: z.string(),
  State: z.literal('ENABLED'),
  Targets: z.array(
    z.strictObject({
      Id: z.string(),
      Arn: z.string().check(z.includes(':lambda:')),
      RetryPolicy: z.strictObject({ MaximumRetryAttempts: z.literal(0) }),
    }),
  ),
});

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** `rate(5 minutes)` -> 300,000 */
function intervalMs(expression: string): number {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const ms = unitMs[unit];
  if (ms !== undefined) return Number(count) * ms;
  throw failure(`The local runner does not support the schedule ${expression}.`);
}

export type ScheduleModel = ReturnType<typeof readSchedules>[number];

export function readSchedules(assembly: Assembly) {
  return readResources(assembly, 'AWS::Events::Rule', { schema, ignored: [] }).flatMap(
    ({ resource: { logicalId }, properties }) =>
      properties.Targets.map(({ Arn }) => ({
        id: logicalId,
        everyMs: intervalMs(properties.ScheduleExpression),
        functionName: functionNameIn(Arn),
        ruleArn: arn('events', `rule/${logicalId}`),
      })),
  );
}
