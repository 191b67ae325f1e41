import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { Log } from '../log.ts';
import type { Poller } from '../poller.ts';
import { account } from '../template/account.ts';
import type { ScheduleModel } from '../template/schedules.ts';
import { type Expression, parseScheduleExpression } from './schedule-expression.ts';

interface ScheduleParts {
  readonly schedule: ScheduleModel;
  readonly pool: FunctionPool;
  /** Divides rates: 60 runs what is due every minute once a second. */
  readonly retrySpeed: number;
  readonly log: Log;
  readonly now: () => number;
}

/** No speed makes a schedule busier than this. */
const shortestPauseMs = 20;

function scheduledEvent({ ruleArn }: ScheduleModel, nowMs: number) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: account.id,
    time: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
    region: account.region,
    resources: [ruleArn],
    detail: {},
  };
}

function pauseMs(expression: Expression, retrySpeed: number, nowMs: number): number {
  return expression.kind === 'rate'
    ? Math.max(shortestPauseMs, expression.everyMs / retrySpeed)
    : // A timer may be a little early, and then it would still be the minute before.
      60_050 - (nowMs % 60_000);
}

/** Invokes the schedule's function whenever it is due, one run after another. */
export function runSchedule({ schedule, pool, retrySpeed, log, now }: ScheduleParts): Poller {
  const expression = parseScheduleExpression(schedule.expression);
  const stopping = new AbortController();
  const { signal } = stopping;

  const runForEver = async (): Promise<void> => {
    for (;;) {
      await delay(pauseMs(expression, retrySpeed, now()), undefined, { signal });
      if (expression.kind === 'cron' && !expression.isDue(new Date(now()))) continue;
      await pool.invoke(schedule.input ?? scheduledEvent(schedule, now())).catch((error: unknown) => {
        if (!signal.aborted) log.warn(`${schedule.functionName}: the scheduled run failed: ${error}`);
      });
    }
  };
  const running = runForEver().catch(() => undefined);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
