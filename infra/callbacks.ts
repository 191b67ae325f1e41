import { Duration } from 'aws-cdk-lib';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { alarm } from './constructs/alarm.ts';
import { logicalId } from './constructs/logical-id.ts';
import { queueWorker } from './constructs/queue-worker.ts';
import { serviceFunction } from './constructs/service-function.ts';
import { streamWorker } from './constructs/stream-worker.ts';
import { type WorkQueue, workQueue } from './constructs/work-queue.ts';
import { dueIndexName } from './data-stack.ts';
import type { Service } from './service.ts';

/** A new state of a message becomes a callback, is attempted at once, and retried from its row until delivered. */
export const addCallbacks = (service: Service): void => {
  const callbacks = workQueue(service, 'Callbacks', {
    name: 'callbacks',
    worker: service.config.sizes.callbackAttempt,
    late: {
      impact:
        'Callbacks wait too long for their attempt: partners learn late of delivered and opened messages.',
      runbook: 'callbacks-late',
    },
    dead: {
      impact:
        'Callbacks failed by our own fault: partners will not hear of those states until they are redriven.',
      runbook: 'callbacks-failed',
    },
  });
  addFanOut(service, callbacks);
  addDelivery(service, callbacks);
  addResume(service, callbacks);
};

const addFanOut = (service: Service, callbacks: WorkQueue): void => {
  const fanOut = streamWorker(service, 'FanOutStates', {
    bundle: 'callbacks/fan-out-states',
    size: service.config.sizes.worker,
    // Only to park what cannot be read.
    tableActions: ['dynamodb:PutItem'],
    environment: { CALLBACKS_QUEUE_URL: callbacks.queue.queueUrl },
    filters: [
      {
        eventName: ['INSERT', 'MODIFY'],
        dynamodb: { NewImage: { toCallBack: { S: ['yes'] } } },
      },
    ],
    late: {
      impact: 'New states wait in the stream: partners learn late of delivered and opened messages.',
      runbook: 'fan-out-states-late',
    },
    failed: {
      impact: 'New states were given up: partners never hear of them unless they ask for the message.',
      runbook: 'fan-out-states-given-up',
    },
  });
  maySendTo(callbacks, fanOut);
};

const addDelivery = (service: Service, callbacks: WorkQueue): void => {
  const deliver = queueWorker(service, 'DeliverCallback', {
    bundle: 'callbacks/deliver-callback',
    queue: callbacks.queue,
    size: service.config.sizes.callbackAttempt,
    maxConcurrency: service.config.queues.callbackWorkers,
    rows: 'endpoints too',
    tableActions: [
      'dynamodb:GetItem',
      'dynamodb:Query',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
    ],
    environment: {
      CALLBACKS_QUEUE_URL: callbacks.queue.queueUrl,
      CALLBACK_ADDRESSES: 'public',
      // Only the local runner hurries.
      CALLBACK_RETRY_SPEED: '1',
    },
    crashing: {
      impact: 'The function that calls partners back crashes: their callbacks are repeated or late.',
      runbook: 'deliver-callback-errors',
    },
  });
  maySendTo(callbacks, deliver);
};

const addResume = (service: Service, callbacks: WorkQueue): void => {
  const { stack, config, table } = service;
  const resume = serviceFunction(service, 'ResumeCallbacks', {
    bundle: 'callbacks/resume-callbacks',
    size: config.sizes.callbackResume,
    tableActions: ['dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
    environment: { CALLBACKS_QUEUE_URL: callbacks.queue.queueUrl },
  });
  // The next minute's run finds whatever this one did not do.
  resume.configureAsyncInvoke({ retryAttempts: 0 });
  maySendTo(callbacks, resume);
  resume.addToRolePolicy(
    new PolicyStatement({
      actions: ['dynamodb:Query'],
      resources: [`${table.tableArn}/index/${dueIndexName}`],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['DUE#*'] } },
    }),
  );
  logicalId(
    new Rule(stack, 'ResumeCallbacksSchedule', {
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaTarget(resume, { retryAttempts: 0 })],
    }),
  );
  alarm(service, 'ResumeCallbacksErrors', {
    impact: 'Retries of callbacks are not sent: partners whose endpoint failed once hear nothing more.',
    runbook: 'resume-callbacks-errors',
    metric: (period) => resume.metricErrors({ period }),
    rule: config.alarms.minutelyErrors,
    missingData: TreatMissingData.NOT_BREACHING,
  });
};

const maySendTo = ({ queue }: WorkQueue, sender: LambdaFunction): void => {
  sender.addToRolePolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] }));
};
