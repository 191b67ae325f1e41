import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { sendIds } from '../access-log.ts';
import { logMetric, sharedMetric, tableMetric } from '../constructs/metrics.ts';
import { burnRate, listObjectives } from '../objectives.ts';
import { sandboxIds, sandboxQueues } from '../sandbox.ts';
import { selfServiceIds } from '../self-service.ts';
import type { HttpService, Service } from '../service.ts';
import { indexNames } from '../table.ts';
import { type Lines, linesIn, rolesIn } from './lines.ts';

/** The lines of each graph, by its title. The title names the unit, unless the lines count events per minute. */
export type Graphs = Readonly<Record<string, readonly IMetric[]>>;

/** The parts of the dashboard by their headlines: requests first, then each area from entry to end. */
export function dashboardParts(service: HttpService): Readonly<Record<string, Graphs>> {
  const selfService = [...selfServiceIds, 'ServeConsole'];
  const lines = linesIn(service, [...selfService, ...sandboxIds], sandboxQueues);
  const { endpoints, workers, dlqs } = rolesIn(service);
  return {
    Objectives: errorBudgets(service),
    Requests: gateway(service),
    Operations: {
      'Requests by operation': lines.invocations(endpoints),
      'Duration by operation, p99, ms': lines.durations(endpoints),
      'Failed requests (5xx) by operation': lines.emitted('Failed', ...endpoints),
      'Refused requests (4xx) by operation': lines.emitted('Refused', ...endpoints),
      'Refused credentials': lines.emitted('Refused', 'AuthorizePartner'),
      'Throttled invocations by operation': lines.throttles(endpoints),
    },
    'Self-service of partners': {
      'Requests of self-service': lines.invocations(selfService),
      'Duration of self-service, p99, ms': lines.durations(selfService),
      'Failed requests of self-service (5xx)': lines.emitted('Failed', ...selfService),
      'Refused requests of self-service (4xx)': lines.emitted('Refused', ...selfService),
      'Files of the console that were not served': [
        ...lines.throttles(['ServeConsole']),
        ...lines.errors(['ServeConsole']),
      ],
    },
    ...areas(lines),
    ...(service.config.wallet === 'simulated' ? simulatedWallet(lines) : {}),
    Workers: {
      'Failures of our own': [...lines.emitted('Failed', ...workers), ...lines.errors(workers)],
      'Messages in dead-letter queues': lines.visible(dlqs),
      'Parked: unreadable rows and messages': [
        ...lines.emitted('ReceiptsParked', 'RecordReceipts'),
        ...lines.emitted('Parked', ...parking),
      ],
      'Duration of workers, p99, ms': lines.durations(workers),
    },
    Table: table(service),
  };
}

function errorBudgets(service: HttpService): Graphs {
  const lines = listObjectives(service).map((objective) =>
    burnRate(objective).with({ period: Duration.hours(1), label: objective.id }),
  );
  return { 'Burn rate of error budgets over an hour, times what is allowed': lines };
}

function gateway({ config, gateway: { api } }: HttpService): Graphs {
  return {
    'Requests, 4xx, 5xx': [
      api.metricCount({ label: 'requests' }),
      api.metricClientError({ label: '4xx' }),
      api.metricServerError({ label: '5xx' }),
    ],
    'Requests refused by the gateway, requests over budget': [
      logMetric(config, 'RefusedByGateway', { label: 'RefusedByGateway' }),
      sharedMetric(config, 'OverBudget', { label: 'OverBudget' }),
    ],
    'Latency, ms': [
      ...['p50', 'p90', 'p99'].map((statistic) => api.metricLatency({ statistic, label: statistic })),
      api.metricIntegrationLatency({ statistic: 'p50', label: 'p50 without the gateway' }),
    ],
  };
}

const pushQueues = ['PushOutbox', 'PushCancellations', 'DeliveryReceipts', 'Deadlines'];
const outcomes = ['CallbacksDelivered', 'CallbacksRetried', 'CallbacksDeferred', 'CallbacksSkipped'] as const;

function areas(lines: Lines): Record<string, Graphs> {
  return {
    'Service points: sessions': {
      'Started and finished sessions': [
        ...lines.emitted('SessionsStarted', 'StartSync'),
        ...lines.emitted('SessionsFinished', 'ProcessSync'),
      ],
      'Lists in the queue': lines.depth('PlacesSync'),
      'Age of the oldest list, s': lines.age('PlacesSync'),
      'Duration of finished sessions, s': lines.percentiles('SessionSeconds', 'ProcessSync'),
      'Sessions whose list failed': lines.emitted('SessionsFinished', 'EndFailedSync'),
    },
    'Push messages': {
      'Accepted recipients': lines.emitted('PushesAccepted', ...sendIds),
      'Recipients that are not registered': lines.emitted('PushesNotRegistered', ...sendIds),
      'Recipients dispatched to the wallet platform, states received, ends by deadline': [
        ...lines.emitted('PushesDispatched', 'DispatchMessages'),
        ...lines.emitted('ReceiptsRecorded', 'RecordReceipts'),
        ...lines.emitted('PushesExpired', 'AdvanceSends'),
      ],
      'Iterator age of the stream, ms': lines.iteratorAge('DispatchMessages', 'FanOutStates'),
      'Age of the oldest message, s': lines.age(...pushQueues),
      'Messages in the queues': lines.depth(...pushQueues),
    },
    Callbacks: {
      'Attempts by outcome, and callbacks passed to the slow lane': [
        ...outcomes,
        'CallbacksSlow' as const,
      ].flatMap((name) => lines.emitted(name, 'DeliverCallback')),
      'Attempts of the slow lane by outcome': outcomes.flatMap((name) =>
        lines.emitted(name, 'DeliverSlowCallback'),
      ),
      'Time from the new state to its first attempt, s': lines.percentiles(
        'FirstAttemptSeconds',
        'DeliverCallback',
      ),
      'Age of the oldest first attempt and the oldest due retry, s': [
        ...lines.age('Callbacks', 'SlowCallbacks'),
        ...lines.highest('OldestDueSeconds', 'SweepDue'),
      ],
      'Endpoints with an open circuit, disabled endpoints': [
        ...lines.highest('CircuitsOpen', 'SweepDue'),
        ...lines.emitted('EndpointsDisabled', 'DeliverCallback', 'DeliverSlowCallback'),
      ],
      'Messages in the queues': lines.depth('Callbacks', 'SlowCallbacks'),
    },
  };
}

function simulatedWallet(lines: Lines): Record<string, Graphs> {
  return {
    'Simulated wallet platform, phones and receivers of partners': {
      Invocations: lines.invocations(sandboxIds),
      'Duration, p99, ms': lines.durations(sandboxIds),
      'Failures of our own': lines.emitted('Failed', ...sandboxIds),
      'Refused requests, and 503 that partners caused themselves': [
        ...lines.emitted('Refused', ...sandboxIds),
        ...lines.emitted('RefusedAs503', 'TakeSandboxCallback', 'OpenSandboxCheckIn'),
      ],
      'Reports of devices in the queues': lines.visible(sandboxQueues),
      'Age of the oldest report, s': lines.age(...sandboxQueues),
    },
  };
}

/** The functions that park what they cannot read, beside RecordReceipts, which counts receipts. */
const parking = [
  'DispatchMessages',
  'FanOutStates',
  'AdvanceSends',
  'DeliverCallback',
  'DeliverSlowCallback',
  'EndFailedSync',
];

const operations = ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'BatchWriteItem'];

function table(service: Service): Graphs {
  const ofTable = (name: string, label: string) => tableMetric(service.table, name, { label });
  const ofIndexes = (name: string, what: string) =>
    indexNames.map((index) => {
      const dimensionsMap = { GlobalSecondaryIndexName: index };
      return tableMetric(service.table, name, { label: `${what} to the index ${index}`, dimensionsMap });
    });
  return {
    'Units consumed': [
      ofTable('ConsumedReadCapacityUnits', 'read'),
      ofTable('ConsumedWriteCapacityUnits', 'write'),
      ...ofIndexes('ConsumedWriteCapacityUnits', 'write'),
    ],
    'Throttled requests': [
      ofTable('ReadThrottleEvents', 'reads'),
      ofTable('WriteThrottleEvents', 'writes'),
      ...ofIndexes('WriteThrottleEvents', 'writes'),
    ],
    'Latency of successful requests, p99, ms': operations.map((Operation) => {
      const options = { label: Operation, statistic: 'p99', dimensionsMap: { Operation } };
      return tableMetric(service.table, 'SuccessfulRequestLatency', options);
    }),
  };
}
