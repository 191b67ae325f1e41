import type { Lines } from './lines.ts';
import type { Part } from './widgets.ts';

/** The functions behind the routes, and all others. */
export interface Roles {
  readonly endpoints: readonly string[];
  readonly workers: readonly string[];
  /** Dead-letter queues. */
  readonly dlqs: readonly string[];
}

export function requests(lines: Lines, { endpoints }: Roles): Part {
  return {
    headline: 'Operations',
    graphs: [
      { title: 'Requests of each operation', lines: lines.calls(endpoints) },
      { title: 'Duration of each operation, p99, ms', lines: lines.slowest(endpoints) },
      { title: 'Failed (5xx) of each operation', lines: lines.own('Failed', ...endpoints) },
      { title: 'Refused (4xx) of each operation', lines: lines.own('Refused', ...endpoints) },
      { title: 'Credentials refused', lines: lines.own('Refused', 'AuthorizePartner') },
      { title: 'Turned away for want of concurrency', lines: lines.throttles(endpoints) },
    ],
  };
}

export function places(lines: Lines): Part {
  return {
    headline: 'Service points: sessions',
    graphs: [
      {
        title: 'Sessions started and finished',
        lines: [
          ...lines.own('SessionsStarted', 'StartSync'),
          ...lines.own('SessionsFinished', 'ProcessSlice'),
        ],
      },
      { title: 'Running: slices of sessions', lines: lines.waiting('PlacesSync') },
      { title: 'Age of the oldest slice of a running session, s', lines: lines.age('PlacesSync') },
      { title: 'How long finished sessions took, s', lines: lines.spread('SessionSeconds', 'ProcessSlice') },
      {
        title: 'Sessions whose last slice had failed',
        lines: lines.own('SessionsFinished', 'EndFailedSlice'),
      },
    ],
  };
}

const sending = ['SendMessage', 'SendBulk', 'SendMulti'];

export function push(lines: Lines): Part {
  return {
    headline: 'Push messages',
    graphs: [
      { title: 'Recipients accepted', lines: lines.own('PushesAccepted', ...sending) },
      { title: 'Recipients not registered', lines: lines.own('PushesNotRegistered', ...sending) },
      { title: 'Requests refused (format, size, rate)', lines: lines.own('Refused', ...sending) },
      {
        title: 'Handed to the wallet platform, and what came back',
        lines: [
          ...lines.own('PushesDispatched', 'DispatchMessages'),
          ...lines.own('ReceiptsRecorded', 'RecordReceipts'),
        ],
      },
      { title: 'Behind the stream, ms', lines: lines.behindStream('DispatchMessages', 'FanOutStates') },
      { title: 'Age of the oldest message, s', lines: lines.age('PushOutbox', 'DeliveryReceipts') },
      { title: 'Messages in the queues', lines: lines.waiting('PushOutbox', 'DeliveryReceipts') },
    ],
  };
}

const outcomes = ['CallbacksDelivered', 'CallbacksRetried', 'CallbacksDeferred', 'CallbacksSkipped'] as const;

export function callbacks(lines: Lines): Part {
  return {
    headline: 'Callbacks',
    graphs: [
      {
        title: 'Attempts by what came of them, and what was passed on to the slow lane',
        lines: [...outcomes, 'CallbacksSlow' as const].flatMap((name) => lines.own(name, 'DeliverCallback')),
      },
      {
        title: 'Attempts of the slow lane by what came of them',
        lines: outcomes.flatMap((name) => lines.own(name, 'DeliverSlowCallback')),
      },
      {
        title: 'From the change of a state to the partner, s',
        lines: lines.spread('CallbackSeconds', 'DeliverCallback'),
      },
      {
        title: 'Oldest first attempt, and oldest retry that is due, s',
        lines: [
          ...lines.age('Callbacks', 'SlowCallbacks'),
          ...lines.newest('OldestDueSeconds', 'ResumeCallbacks'),
        ],
      },
      { title: 'Endpoints with an open circuit', lines: lines.newest('CircuitsOpen', 'ResumeCallbacks') },
      { title: 'Messages in the queues', lines: lines.waiting('Callbacks', 'SlowCallbacks') },
    ],
  };
}

export function background(lines: Lines, { workers, dlqs }: Roles): Part {
  return {
    headline: 'Behind the scenes',
    graphs: [
      {
        title: 'Failed by our own fault',
        lines: [...lines.own('Failed', ...workers), ...lines.crashes(workers)],
      },
      { title: 'Messages in dead-letter queues', lines: lines.lying(dlqs) },
      {
        title: 'Parked: nobody can read them',
        lines: lines.own(
          'Parked',
          'RecordReceipts',
          'DispatchMessages',
          'FanOutStates',
          'DeliverCallback',
          'DeliverSlowCallback',
          'EndFailedSlice',
        ),
      },
      { title: 'Duration of workers, p99, ms', lines: lines.slowest(workers) },
    ],
  };
}
