import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { Log } from '../log.ts';
import { type Poller, poll } from '../poller.ts';
import { account } from '../template/account.ts';
import type { ScheduleModel } from '../template/service-model.ts';

interface ScheduleParts {
  readonly schedule: ScheduleModel;
  readonly pool: FunctionPool;
  /** Divides the interval: with 60, a minutely schedule runs every second. */
  readonly retrySpeed: number;
  readonly log: Log;
  readonly now: () => number;
}

/** The shortest interval at any speed, because each run takes processor time from the service and its tests. */
const shortestIntervalMs = 250;

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

/** Invokes the schedule's function at its interval, one run after another. */
export function runSchedule({ schedule, pool, retrySpeed, log, now }: ScheduleParts): Poller {
  const intervalMs = Math.max(shortestIntervalMs, schedule.everyMs / retrySpeed);
  return poll(schedule.functionName, log, ({ signal, warn }) => async () => {
    await delay(intervalMs, undefined, { signal });
    await pool
      .invoke(scheduledEvent(schedule, now()))
      .catch((error: unknown) => warn(`the scheduled run failed: ${error}`));
  });
}
