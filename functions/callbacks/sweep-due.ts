import { ownerOf } from '../../shared/callbacks/alerts-endpoint.ts';
import { nothingSent, sweepCallbacks } from '../../shared/callbacks/delivery/sweep-callbacks.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { failedCallbacks } from '../../shared/callbacks/endpoint/failed-callbacks.ts';
import { dueIndex } from '../../shared/callbacks/rows/due-index.ts';
import { startWork } from '../../shared/platform/logging/log.ts';
import { partnerOfFailure } from '../../shared/platform/logging/partner-of-failure.ts';
import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { isDataError } from '../../shared/platform/runtime/data-error.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { inParallel } from '../../shared/platform/runtime/in-parallel.ts';
import { type Timed, withinTime } from '../../shared/platform/runtime/time-left.ts';
import { heartbeatStore } from '../../shared/platform/stream/heartbeats.ts';
import { tableDeps } from '../../shared/platform/table/table.ts';
import { deadlineStore } from '../../shared/push/deadlines/deadline-store.ts';
import { sweepSends } from '../../shared/push/deadlines/sweep-sends.ts';

/** A run starts every minute and may take 60 s. The next run finds what this one leaves. */
const runMs = 40_000;
const rowsNamed = 50;

/**
 * Queues the sends and the callbacks that are due, and writes a heartbeat for the readers of the stream, every minute. No
 * task waits for another or fails with it. They share a run, because a schedule with its alarm costs more than a month of
 * these reads.
 */
export function sweepDue(deps = connect()) {
  return (_event?: unknown, context?: Timed): Promise<void> =>
    withinTime(context, async () => {
      const work = startWork('SweepDue');
      const counts = { ...nothingSent, sendsDue: 0 };
      const damaged = { endpoints: new Set<string>(), rows: new Set<string>() };
      const run = { deps, until: deps.clock.now() + runMs, counts, work, damaged };
      const tasks = [
        () => sweepSends({ ...deps, queue: deps.deadlinesQueue }, run),
        () => sweepCallbacks(run),
        () => deps.heartbeats.beat(deps.clock.now()),
      ];
      try {
        await inParallel(tasks.length, tasks, (task) => task());
        work.addMetrics({ OldestDueSeconds: counts.oldestDueMs / 1_000 });
        work.done('done', { ...counts, ...named(damaged) });
      } catch (error) {
        const owners = [...damaged.endpoints].map((endpointId) => ownerOf(endpointId).partnerId);
        const partnerId = isDataError(error) ? partnerOfFailure(owners) : undefined;
        work.failed(error, { ...counts, ...named(damaged), partnerId });
        throw error;
      }
    });
}

/** The damaged rows, for the log line, which has none nearly always. */
function named({ endpoints, rows }: Record<'endpoints' | 'rows', ReadonlySet<string>>) {
  return {
    ...(endpoints.size > 0 ? { damagedEndpoints: [...endpoints] } : {}),
    ...(rows.size > 0 ? { damagedRows: [...rows].slice(0, rowsNamed) } : {}),
  };
}

function connect() {
  const queue = connectQueue(readEnv('CALLBACKS_QUEUE_URL'));
  const deadlinesQueue = connectQueue(readEnv('DEADLINES_QUEUE_URL'));
  const stores = {
    due: dueIndex,
    endpoints: endpointStore,
    failedCallbacks,
    deadlines: deadlineStore,
    heartbeats: heartbeatStore,
  };
  return { ...tableDeps(stores), queue, deadlinesQueue };
}
