import * as z from 'zod/mini';
import { arn } from './account.ts';
import { functionNameIn, readProperties, resourcesOf } from './resolved-resource.ts';
import type { Assembly } from './resource.ts';

export interface ScheduleModel {
  readonly id: string;
  /** `rate(1 minute)` or `cron(0 4 * * ? *)` */
  readonly expression: string;
  readonly functionName: string;
  /** What the function is given; none: EventBridge's own event. */
  readonly input?: unknown;
  readonly ruleArn: string;
}

const target = z.object({ Arn: z.string().check(z.includes(':lambda:')), Input: z.optional(z.string()) });

const ruleProperties = z.object({
  ScheduleExpression: z.string(),
  State: z._default(z.string(), 'ENABLED'),
  Targets: z._default(z.array(target), []),
});

const scheduleProperties = z.object({
  ScheduleExpression: z.string(),
  State: z._default(z.string(), 'ENABLED'),
  Target: target,
});

function parsed(input: string | undefined) {
  return input === undefined ? {} : { input: JSON.parse(input) as unknown };
}

export function readSchedules(assembly: Assembly): ScheduleModel[] {
  const rules = resourcesOf(assembly, 'AWS::Events::Rule').flatMap((resolved): ScheduleModel[] => {
    const id = resolved.resource.logicalId;
    const { ScheduleExpression, State, Targets } = readProperties(ruleProperties, resolved);
    if (State === 'DISABLED') return [];
    return Targets.map(({ Arn, Input }) => ({
      id,
      expression: ScheduleExpression,
      functionName: functionNameIn(Arn),
      ruleArn: arn('events', `rule/${id}`),
      ...parsed(Input),
    }));
  });
  const schedules = resourcesOf(assembly, 'AWS::Scheduler::Schedule').flatMap((resolved): ScheduleModel[] => {
    const id = resolved.resource.logicalId;
    const { ScheduleExpression, State, Target } = readProperties(scheduleProperties, resolved);
    if (State === 'DISABLED') return [];
    const ruleArn = arn('scheduler', `schedule/default/${id}`);
    const functionName = functionNameIn(Target.Arn);
    return [{ id, expression: ScheduleExpression, functionName, ruleArn, ...parsed(Target.Input) }];
  });
  return [...rules, ...schedules];
}
