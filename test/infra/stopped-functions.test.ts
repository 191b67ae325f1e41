import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { resourceName } from './permissions.ts';
import { functionBehind, resource, templatesOf } from './synthesize.ts';

/** The stage with a simulated wallet platform has every function that something else than a request invokes. */
const { all } = templatesOf('sandbox');
const alarms = found('AWS::CloudWatch::Alarm').map(([id, { Properties }]) => ({ id, ...Properties }));
const paging = alarms.filter(({ AlarmActions }) => JSON.stringify(AlarmActions)?.includes('Alarms'));

function found(type: string) {
  return Object.entries(all.findResources(type));
}

/** Returns the heading of the runbook to which an alarm points. */
function headingOf({ AlarmDescription }: (typeof alarms)[number]): string {
  return AlarmDescription.split('#')[1];
}

/** The heading of the alarm on a metric whose dimensions name the resource. */
function alarmOn(metricName: string, resource: string): (typeof alarms)[number] | undefined {
  return paging.find(({ MetricName, Metrics, Dimensions }) => {
    const text = JSON.stringify([MetricName, Metrics, Dimensions]);
    return text.includes(`"${metricName}"`) && new RegExp(`"${resource}"|${resource}QueueName`).test(text);
  });
}

type Shown = { off: string | undefined; throttled: string | undefined };

function heading(alarm: (typeof alarms)[number] | undefined): string | undefined {
  return alarm && headingOf(alarm);
}

/** Silence counts as bad: a heartbeat, or the schedule itself, makes data every minute. */
function shownBySilence(metricName: string, id: string): Shown {
  const alarm = alarmOn(metricName, id);
  const silent = alarm?.TreatMissingData === 'breaching' ? headingOf(alarm) : undefined;
  return { off: silent, throttled: silent };
}

/**
 * The age of what waits shows that nothing is received. Messages of a throttled function are received and not processed.
 * From the third time on SQS does not count their age, unless the queue is FIFO, and then they become dead letters.
 * docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
function shownByQueue(id: string): Shown {
  const { FifoQueue, VisibilityTimeout, RedrivePolicy } = resource(all, 'AWS::SQS::Queue', id);
  const late = alarmOn('ApproximateAgeOfOldestMessage', id);
  if (FifoQueue || late?.Threshold < 2 * VisibilityTimeout)
    return { off: heading(late), throttled: heading(late) };
  const dlq = resourceName(RedrivePolicy.deadLetterTargetArn);
  return { off: heading(late), throttled: heading(alarmOn('ApproximateNumberOfMessagesVisible', dlq)) };
}

function shown(): Record<string, Shown> {
  const mappings = found('AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => {
    const id = functionBehind(Properties.FunctionName);
    const isStream = Properties.StartingPosition !== undefined;
    const by = isStream
      ? shownBySilence('IteratorAge', id)
      : shownByQueue(resourceName(Properties.EventSourceArn));
    return [id, by] as const;
  });
  const schedules = found('AWS::Events::Rule').map(([, { Properties }]) => {
    const id = functionBehind(Properties.Targets[0].Arn);
    return [id, shownBySilence('OldestDueSeconds', id)] as const;
  });
  return Object.fromEntries([...mappings, ...schedules]);
}

it('every function with an event source has the alarms of the runbook for when that is off, and for when the function is throttled', () => {
  const rows = [
    ...readFileSync('docs/runbook.md', 'utf8').matchAll(/^\| `(\w+)`.* \|.*\| _(.+?)_.*\| _(.+?)_.*\|$/gm),
  ];
  const id = (text = '') => text.toLowerCase().replaceAll(' ', '-');
  const documented = rows.map(([, name, off, throttled]) => [
    name,
    { off: id(off), throttled: id(throttled) },
  ]);
  expect(shown()).toEqual(Object.fromEntries(documented));
});
