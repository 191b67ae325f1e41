import { tableMetric } from '../constructs/metrics.ts';
import { indexNames } from '../data-stack.ts';
import type { Service } from '../service.ts';
import type { Lines, Roles } from './lines.ts';
import type { Part } from './widgets.ts';

export function requests(lines: Lines, { endpoints }: Roles): Part {
  return {
    headline: 'Operations',
    graphs: {
      'Requests by operation': lines.invocations(endpoints),
      'Duration by operation, p99, ms': lines.durations(endpoints),
      'Failed requests (5xx) by operation': lines.emitted('Failed', ...endpoints),
      'Refused requests (4xx) by operation': lines.emitted('Refused', ...endpoints),
      'Refused credentials': lines.emitted('Refused', 'AuthorizePartner'),
      'Throttled invocations by operation': lines.throttles(endpoints),
    },
  };
}

export function selfService(lines: Lines, ids: readonly string[]): Part {
  return {
    headline: 'Self-service of partners',
    graphs: {
      'Requests of self-service': lines.invocations(ids),
      'Duration of self-service, p99, ms': lines.durations(ids),
      'Failed requests of self-service (5xx)': lines.emitted('Failed', ...ids),
      'Refused requests of self-service (4xx)': lines.emitted('Refused', ...ids),
      'Files of the console that were not served': [
        ...lines.throttles(['ServeConsole']),
        ...lines.errors(['ServeConsole']),
      ],
    },
  };
}

/** Graphs of stages with a simulated wallet platform. */
export function simulatedWallet(lines: Lines, ids: readonly string[]): Part {
  return {
    headline: 'Simulated wallet platform, phones and receivers of partners',
    graphs: {
      Invocations: lines.invocations(ids),
      'Duration, p99, ms': lines.durations(ids),
      'Failures of our own': lines.emitted('Failed', ...ids),
      'Refused requests, and 503 that partners asked of their receivers': [
        ...lines.emitted('Refused', ...ids),
        ...lines.emitted('ReceiverFailed', 'TakeSandboxCallback'),
      ],
    },
  };
}

export function places(lines: Lines): Part {
  return {
    headline: 'Service points: sessions',
    graphs: {
      'Started and finished sessions': [
        ...lines.emitted('SessionsStarted', 'StartSync'),
        ...lines.emitted('SessionsFinished', 'ProcessList'),
      ],
      'Lists in the queue': lines.depth('PlacesSync'),
      'Age of the oldest list, s': lines.age('PlacesSync'),
      'Duration of finished sessions, s': lines.percentiles('SessionSeconds', 'ProcessList'),
      'Sessions whose list failed': lines.emitted('SessionsFinished', 'EndFailedList'),
    },
  };
}

const sending = ['SendMessage', 'SendBulk', 'SendMulti'];

export function push(lines: Lines): Part {
  return {
    headline: 'Push messages',
    graphs: {
      'Accepted recipients': lines.emitted('PushesAccepted', ...sending),
      'Recipients that are not registered': lines.emitted('PushesNotRegistered', ...sending),
      'Refused requests (format, size, rate)': lines.emitted('Refused', ...sending),
      'Recipients dispatched to the wallet platform, states received, ends by deadline': [
        ...lines.emitted('PushesDispatched', 'DispatchMessages'),
        ...lines.emitted('ReceiptsRecorded', 'RecordReceipts'),
        ...lines.emitted('PushesExpired', 'ExpireMessages'),
      ],
      'Iterator age of the stream, ms': lines.iteratorAge('DispatchMessages', 'FanOutStates'),
      'Age of the oldest message, s': lines.age('PushOutbox', 'DeliveryReceipts', 'Deadlines'),
      'Messages in the queues': lines.depth('PushOutbox', 'DeliveryReceipts', 'Deadlines'),
    },
  };
}

const outcomes = ['CallbacksDelivered', 'CallbacksRetried', 'CallbacksDeferred', 'CallbacksSkipped'] as const;

export function callbacks(lines: Lines): Part {
  return {
    headline: 'Callbacks',
    graphs: {
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
        ...lines.highest('OldestDueSeconds', 'ResumeCallbacks'),
      ],
      'Endpoints with an open circuit, disabled endpoints': [
        ...lines.highest('CircuitsOpen', 'ResumeCallbacks'),
        ...lines.emitted('EndpointsDisabled', 'DeliverCallback', 'DeliverSlowCallback'),
      ],
      'Messages in the queues': lines.depth('Callbacks', 'SlowCallbacks'),
    },
  };
}

export function background(lines: Lines, { workers, dlqs }: Roles): Part {
  return {
    headline: 'Workers',
    graphs: {
      'Failures of our own': [...lines.emitted('Failed', ...workers), ...lines.errors(workers)],
      'Messages in dead-letter queues': lines.visible(dlqs),
      'Parked: unreadable rows and messages': [
        ...lines.emitted('ReceiptsParked', 'RecordReceipts'),
        ...lines.emitted(
          'Parked',
          'DispatchMessages',
          'FanOutStates',
          'ExpireMessages',
          'DeliverCallback',
          'DeliverSlowCallback',
          'EndFailedList',
        ),
      ],
      'Duration of workers, p99, ms': lines.durations(workers),
    },
  };
}

const operations = ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'BatchWriteItem'];

export function table(service: Service): Part {
  const ofTable = (name: string, label: string) => tableMetric(service.table, name, { label });
  const ofIndexes = (name: string, what: string) =>
    indexNames.map((index) => {
      const dimensionsMap = { GlobalSecondaryIndexName: index };
      return tableMetric(service.table, name, { label: `${what} to the index ${index}`, dimensionsMap });
    });
  return {
    headline: 'Table',
    graphs: {
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
    },
  };
}
