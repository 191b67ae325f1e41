import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Poller, type PollingParts, poll } from '../poller.ts';
import { account } from '../template/account.ts';
import type { ScheduleModel } from '../template/service-model.ts';

/** The shortest interval at any speed, because each run takes processor time, about 100 ms, from the service and its tests. */
const shortestIntervalMs = 4_000;

function scheduledEvent({ ruleArn }: ScheduleModel) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: account.id,
    time: `${new Date().toISOString().slice(0, 19)}Z`,
    region: account.region,
    resources: [ruleArn],
    detail: {},
  };
}

/** Invokes the schedule's function at its interval, one run after another. */
export function runSchedule(schedule: ScheduleModel, { poolOf, retrySpeed, log }: PollingParts): Poller {
  const pool = poolOf(schedule.functionName);
  // A retry speed of 15 runs a minutely schedule every 4 s.
  const intervalMs = Math.max(shortestIntervalMs, schedule.everyMs / retrySpeed);
  return poll(schedule.functionName, log, ({ signal, warn }) => async () => {
    await delay(intervalMs, undefined, { signal });
    await pool
      .invoke(scheduledEvent(schedule))
      .catch((error: unknown) => warn(`the scheduled run failed: ${error}`));
  });
}
