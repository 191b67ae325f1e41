import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { sizes } from './config.ts';
import { addAlarm } from './constructs/alarm.ts';
import { serviceMetric } from './constructs/metrics.ts';
import { type ServiceFunction, serviceFunction } from './constructs/service-function.ts';
import type { WorkQueue } from './constructs/work-queue.ts';
import { endpointRows } from './row-groups.ts';
import type { Service } from './service.ts';
import { dueIndexName } from './table.ts';

/** Every minute a function does what the index `due` says is due, of callbacks and of sends. */
export function addDueSweep(
  service: Service,
  { callbacks, deadlines }: { callbacks: WorkQueue; deadlines: WorkQueue },
): void {
  const { stack } = service;
  const sweep = serviceFunction(service, 'SweepDue', {
    size: sizes.dueSweep,
    reads: [...endpointRows, 'callback', 'failed callbacks'],
    writes: ['circuit', 'callback', 'failed callbacks', 'event', 'heartbeat'],
    queries: dueIndexName,
    sendsTo: { CALLBACKS_QUEUE_URL: callbacks.queue, DEADLINES_QUEUE_URL: deadlines.queue },
  });
  // The next minute's run sends what this one did not. Lambda would keep throttled runs for six hours, and then start
  // many at once.
  const noRepeats = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };
  sweep.target.configureAsyncInvoke(noRepeats);
  new Rule(stack, 'SweepDueSchedule', {
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new LambdaTarget(sweep.target, noRepeats)],
  });
  watchSweep(service, sweep);
}

function watchSweep(service: Service, { lambda }: ServiceFunction): void {
  const measured = (name: 'OldestDueSeconds' | 'CircuitsOpen', statistic: string, label: string) =>
    serviceMetric(service.config, lambda.node.id, name, { statistic, label });
  addAlarm(service, 'SweepDueMissing', {
    impact: 'Retries and deadlines are not looked up: partners miss callbacks and learn late what expired.',
    lookAt: 'the log of SweepDue, its throttles, and its schedule',
    // A run emits this metric last, so one that fails, crashes or never starts is not counted.
    metric: measured('OldestDueSeconds', 'SampleCount', 'completed runs'),
    // Five runs begin in a period, and three must be completed.
    threshold: 3,
    periods: 2,
    below: true,
  });
  addAlarm(service, 'CallbackRetriesLate', {
    impact: 'Retries of callbacks are sent late: partners that were down for a while learn of states late.',
    lookAt: 'the log of SweepDue and the age of the queue Callbacks',
    metric: measured('OldestDueSeconds', 'Maximum', 'seconds that the oldest retry has been due'),
    // A run each minute sends what is due: if that takes 15 minutes, the runs cannot keep up.
    threshold: 900,
    periods: 2,
  });
  addAlarm(service, 'ManyCircuitsOpen', {
    impact:
      'The endpoints of many partners fail at once: their callbacks wait, and our egress may be broken.',
    lookAt: 'the errors in the log of DeliverCallback',
    metric: measured('CircuitsOpen', 'Maximum', 'endpoints with an open circuit'),
    // One partner's outage is its own matter; ten at once suggest that our egress fails.
    threshold: 10,
    periods: 2,
    // Servers with which engineers tried something out stay dead for days.
    notice: service.config.wallet === 'simulated',
  });
}
