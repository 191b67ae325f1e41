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
  /** Divides the interval: 60 runs what is due every minute once a second. */
  readonly retrySpeed: number;
  readonly log: Log;
  readonly now: () => number;
}

/** However high the speed: each run is work for the processor, which the service shares with its tests. */
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
