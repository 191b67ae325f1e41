import type { Lines } from './lines.ts';
import type { Part } from './widgets.ts';

/** The functions and queues of the stack, by what they do. */
export interface Roles {
  /** Functions behind routes. */
  readonly endpoints: readonly string[];
  /** All other functions but the authorizer. */
  readonly workers: readonly string[];
  /** Dead-letter queues. */
  readonly dlqs: readonly string[];
}

export function requests(lines: Lines, { endpoints }: Roles): Part {
  return {
    headline: 'Operations',
    graphs: [
      { title: 'Requests by operation', lines: lines.invocations(endpoints) },
      { title: 'Duration by operation, p99, ms', lines: lines.durations(endpoints) },
      { title: 'Failed requests (5xx) by operation', lines: lines.emitted('Failed', ...endpoints) },
      { title: 'Refused requests (4xx) by operation', lines: lines.emitted('Refused', ...endpoints) },
      { title: 'Refused credentials', lines: lines.emitted('Refused', 'AuthorizePartner') },
      { title: 'Throttled invocations by operation', lines: lines.throttles(endpoints) },
    ],
  };
}

export function selfService(lines: Lines, ids: readonly string[]): Part {
  return {
    headline: 'Self-service of partners',
    graphs: [
      { title: 'Requests of self-service', lines: lines.otherInvocations(ids) },
      { title: 'Duration of self-service, p99, ms', lines: lines.otherDurations(ids) },
      { title: 'Failed requests of self-service (5xx)', lines: lines.otherEmitted('Failed', ids) },
      { title: 'Refused requests of self-service (4xx)', lines: lines.otherEmitted('Refused', ids) },
    ],
  };
}

/** Where the wallet platform is simulated. */
export function simulatedWallet(lines: Lines, ids: readonly string[]): Part {
  return {
    headline: 'Simulated wallet platform, phones and receivers of partners',
    graphs: [
      { title: 'Invocations', lines: lines.otherInvocations(ids) },
      { title: 'Duration, p99, ms', lines: lines.otherDurations(ids) },
      { title: 'Failures of our own', lines: lines.otherEmitted('Failed', ids) },
      {
        title: 'Refused requests, and 503 that partners asked of their receivers',
        lines: [
          ...lines.otherEmitted('Refused', ids),
          ...lines.otherEmitted('ReceiverFailed', ['TakeSandboxCallback']),
        ],
      },
    ],
  };
}

export function places(lines: Lines): Part {
  return {
    headline: 'Service points: sessions',
    graphs: [
      {
        title: 'Started and finished sessions',
        lines: [
          ...lines.emitted('SessionsStarted', 'StartSync'),
          ...lines.emitted('SessionsFinished', 'ProcessSlice'),
        ],
      },
      { title: 'Slices in the queue', lines: lines.depth('PlacesSync') },
      { title: 'Age of the oldest slice, s', lines: lines.age('PlacesSync') },
      {
        title: 'Duration of finished sessions, s',
        lines: lines.percentiles('SessionSeconds', 'ProcessSlice'),
      },
      {
        title: 'Sessions whose last step failed',
        lines: lines.emitted('SessionsFinished', 'EndFailedSlice'),
      },
    ],
  };
}

const sending = ['SendMessage', 'SendBulk', 'SendMulti'];

export function push(lines: Lines): Part {
  return {
    headline: 'Push messages',
    graphs: [
      { title: 'Accepted recipients', lines: lines.emitted('PushesAccepted', ...sending) },
      {
        title: 'Recipients that are not registered',
        lines: lines.emitted('PushesNotRegistered', ...sending),
      },
      { title: 'Refused requests (format, size, rate)', lines: lines.emitted('Refused', ...sending) },
      {
        title: 'Recipients dispatched to the wallet platform, states received',
        lines: [
          ...lines.emitted('PushesDispatched', 'DispatchMessages'),
          ...lines.emitted('ReceiptsRecorded', 'RecordReceipts'),
        ],
      },
      {
        title: 'Iterator age of the stream, ms',
        lines: lines.iteratorAge('DispatchMessages', 'FanOutStates'),
      },
      { title: 'Age of the oldest message, s', lines: lines.age('PushOutbox', 'DeliveryReceipts') },
      { title: 'Messages in the queues', lines: lines.depth('PushOutbox', 'DeliveryReceipts') },
    ],
  };
}

const outcomes = ['CallbacksDelivered', 'CallbacksRetried', 'CallbacksDeferred', 'CallbacksSkipped'] as const;

export function callbacks(lines: Lines): Part {
  return {
    headline: 'Callbacks',
    graphs: [
      {
        title: 'Attempts by outcome, and callbacks passed to the slow lane',
        lines: [...outcomes, 'CallbacksSlow' as const].flatMap((name) =>
          lines.emitted(name, 'DeliverCallback'),
        ),
      },
      {
        title: 'Attempts of the slow lane by outcome',
        lines: outcomes.flatMap((name) => lines.emitted(name, 'DeliverSlowCallback')),
      },
      {
        title: 'Time from the new state to its first attempt, s',
        lines: lines.percentiles('FirstAttemptSeconds', 'DeliverCallback'),
      },
      {
        title: 'Age of the oldest first attempt and the oldest due retry, s',
        lines: [
          ...lines.age('Callbacks', 'SlowCallbacks'),
          ...lines.highest('OldestDueSeconds', 'ResumeCallbacks'),
        ],
      },
      {
        title: 'Endpoints with an open circuit, disabled endpoints',
        lines: [
          ...lines.highest('CircuitsOpen', 'ResumeCallbacks'),
          ...lines.emitted('EndpointsDisabled', 'DeliverCallback', 'DeliverSlowCallback'),
        ],
      },
      { title: 'Messages in the queues', lines: lines.depth('Callbacks', 'SlowCallbacks') },
    ],
  };
}

export function background(lines: Lines, { workers, dlqs }: Roles): Part {
  return {
    headline: 'Workers',
    graphs: [
      {
        title: 'Failures of our own',
        lines: [...lines.emitted('Failed', ...workers), ...lines.errors(workers)],
      },
      { title: 'Messages in dead-letter queues', lines: lines.visible(dlqs) },
      {
        title: 'Parked: unreadable rows and messages',
        lines: lines.emitted(
          'Parked',
          'RecordReceipts',
          'DispatchMessages',
          'FanOutStates',
          'DeliverCallback',
          'DeliverSlowCallback',
          'EndFailedSlice',
        ),
      },
      { title: 'Duration of workers, p99, ms', lines: lines.durations(workers) },
    ],
  };
}
