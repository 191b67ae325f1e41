import { Duration } from 'aws-cdk-lib';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { marked, streamMarkers } from '../shared/table/stream-markers.ts';
import { alarm } from './constructs/alarm.ts';
import { logicalId } from './constructs/logical-id.ts';
import { ownMetric } from './constructs/own-metric.ts';
import { queueWorker } from './constructs/queue-worker.ts';
import { type ServiceFunction, serviceFunction } from './constructs/service-function.ts';
import { streamWorker } from './constructs/stream-worker.ts';
import { type WorkQueue, workQueue } from './constructs/work-queue.ts';
import { dueIndexName } from './data-stack.ts';
import type { Service } from './service.ts';

/** A new state of a message becomes a callback, is attempted at once, and retried from its row until delivered. */
export function addCallbacks(service: Service): void {
  const lanes = { fast: fastQueue(service), slow: slowQueue(service) };
  addFanOut(service, lanes.fast);
  addDelivery(service, lanes);
  addSlowDelivery(service, lanes);
  addResume(service, lanes.fast);
}

type Lanes = { readonly fast: WorkQueue; readonly slow: WorkQueue };

function fastQueue(service: Service): WorkQueue {
  return workQueue(service, 'Callbacks', {
    name: 'callbacks',
    worker: service.config.sizes.callbackAttempt,
    late: {
      impact:
        'Callbacks wait too long for their attempt: partners learn late of delivered and opened messages.',
      runbook: 'callbacks-late',
    },
    lateRule: service.config.alarms.callbackAgeSeconds,
    dlqNotEmpty: {
      impact:
        'Callbacks failed by our own fault: partners will not hear of those states until they are redriven.',
      runbook: 'callbacks-dlq-not-empty',
    },
  });
}

/** What would hold up its batch: callbacks to endpoints that take long to answer. */
function slowQueue(service: Service): WorkQueue {
  return workQueue(service, 'SlowCallbacks', {
    name: 'callbacks-slow',
    worker: service.config.sizes.callbackAttempt,
    late: {
      impact: 'Callbacks to slow endpoints wait for an hour: partners whose servers take seconds learn late.',
      runbook: 'slow-callbacks-late',
    },
    lateRule: service.config.alarms.slowCallbackAgeSeconds,
    dlqNotEmpty: {
      impact: 'Callbacks to slow endpoints failed by our own fault: partners will not hear of those states.',
      runbook: 'slow-callbacks-dlq-not-empty',
    },
  });
}

function addFanOut(service: Service, callbacks: WorkQueue): void {
  const fanOut = streamWorker(service, 'FanOutStates', {
    size: service.config.sizes.worker,
    // Only to park what cannot be read.
    tableActions: ['dynamodb:PutItem'],
    environment: { CALLBACKS_QUEUE_URL: callbacks.queue.queueUrl },
    filters: [
      {
        eventName: ['INSERT', 'MODIFY'],
        dynamodb: { NewImage: { [streamMarkers.callBack]: { S: [marked] } } },
      },
    ],
    late: {
      impact: 'New states wait in the stream: partners learn late of delivered and opened messages.',
      runbook: 'fan-out-states-late',
    },
    dlqNotEmpty: {
      impact: 'New states were given up: partners never hear of them unless they ask for the message.',
      runbook: 'fan-out-states-dlq-not-empty',
    },
  });
  maySendTo(callbacks, fanOut);
}

function addDelivery(service: Service, { fast, slow }: Lanes): void {
  const shared = attempts(service, fast, 'fast');
  const deliver = queueWorker(service, 'DeliverCallback', {
    ...shared,
    queue: fast.queue,
    maxConcurrency: service.config.queues.callbackWorkers,
    environment: { ...shared.environment, SLOW_CALLBACKS_QUEUE_URL: slow.queue.queueUrl },
    failing: {
      impact: 'The function that calls partners back fails or crashes: their callbacks are repeated or late.',
      runbook: 'deliver-callback-errors',
    },
  });
  maySendTo(fast, deliver);
  maySendTo(slow, deliver);
}

/** A function of its own, and not a second mapping: its cap keeps slow endpoints from the workers of the others. */
function addSlowDelivery(service: Service, { fast, slow }: Lanes): void {
  const deliver = queueWorker(service, 'DeliverSlowCallback', {
    codeOf: 'DeliverCallback',
    ...attempts(service, fast, 'slow'),
    queue: slow.queue,
    maxConcurrency: service.config.queues.slowCallbackWorkers,
    failing: {
      impact:
        'The function that calls slow partners back fails or crashes: their callbacks are repeated or late.',
      runbook: 'deliver-slow-callback-errors',
    },
  });
  // Retries begin in the fast lane: the endpoint may have become quick meanwhile.
  maySendTo(fast, deliver);
}

/** What an attempt needs in either lane: the same code, and the same rights to the table. */
function attempts({ config }: Service, fast: WorkQueue, lane: keyof Lanes) {
  return {
    size: config.sizes.callbackAttempt,
    rows: 'endpoints too',
    tableActions: [
      'dynamodb:GetItem',
      'dynamodb:Query',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
    ],
    environment: {
      CALLBACKS_QUEUE_URL: fast.queue.queueUrl,
      CALLBACKS_LANE: lane,
      CALLBACK_ADDRESSES: 'public',
      // Only the local runner hurries.
      CALLBACK_RETRY_SPEED: '1',
    },
  } as const;
}

function addResume(service: Service, callbacks: WorkQueue): void {
  const { stack, config, table } = service;
  const resume = serviceFunction(service, 'ResumeCallbacks', {
    size: config.sizes.callbackResume,
    tableActions: ['dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
    environment: { CALLBACKS_QUEUE_URL: callbacks.queue.queueUrl },
  });
  // The next minute's run finds whatever this one did not do.
  resume.called.configureAsyncInvoke({ retryAttempts: 0 });
  maySendTo(callbacks, resume);
  resume.lambda.addToRolePolicy(
    new PolicyStatement({
      actions: ['dynamodb:Query'],
      resources: [`${table.tableArn}/index/${dueIndexName}`],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['DUE#*'] } },
    }),
  );
  logicalId(
    new Rule(stack, 'ResumeCallbacksSchedule', {
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaTarget(resume.called, { retryAttempts: 0 })],
    }),
  );
  watchResume(service, resume);
}

function watchResume(service: Service, { lambda }: ServiceFunction): void {
  const { minutelyErrors, minutelyRuns, retriesDueSeconds, circuitsOpen } = service.config.alarms;
  const highest = (name: 'OldestDueSeconds' | 'CircuitsOpen', label: string) => (period: Duration) =>
    ownMetric(service.config, lambda.node.id, name, { period, statistic: 'Maximum', label });
  alarm(service, 'ResumeCallbacksErrors', {
    impact: 'Retries of callbacks are not sent: partners whose endpoint failed once hear nothing more.',
    runbook: 'resume-callbacks-errors',
    // A run that failed has thrown: the service's own count of failures would count it twice.
    metric: (period) => lambda.metricErrors({ period }),
    rule: minutelyErrors,
    missingData: TreatMissingData.NOT_BREACHING,
  });
  alarm(service, 'ResumeCallbacksMissing', {
    impact: 'The schedule does not run: partners whose endpoint failed once hear nothing more.',
    runbook: 'resume-callbacks-missing',
    metric: (period) => lambda.metricInvocations({ period }),
    rule: minutelyRuns,
    below: true,
    missingData: TreatMissingData.BREACHING,
  });
  alarm(service, 'CallbackRetriesLate', {
    impact: 'Retries are due and not sent in time: partners that were down for a while hear late or nothing.',
    runbook: 'callback-retries-late',
    metric: highest('OldestDueSeconds', 'seconds that the oldest retry has been due'),
    rule: retriesDueSeconds,
    missingData: TreatMissingData.NOT_BREACHING,
  });
  alarm(service, 'ManyCircuitsOpen', {
    impact: 'Many partners cannot be reached at once: their callbacks wait, and the way out may be ours.',
    runbook: 'many-circuits-open',
    metric: highest('CircuitsOpen', 'endpoints with an open circuit'),
    rule: circuitsOpen,
    missingData: TreatMissingData.NOT_BREACHING,
  });
}

function maySendTo({ queue }: WorkQueue, sender: ServiceFunction): void {
  sender.lambda.addToRolePolicy(
    new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] }),
  );
}
