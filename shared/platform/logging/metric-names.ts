/** Metrics are in this namespace, by the dimensions `service` (with the stage) and `function`. */
export const metricNamespace = 'PartnerIntegration';

/** Every metric the functions emit, with its unit. Alarms and the dashboard take their names from here. */
export const metricUnits = {
  /** Requests and messages that failed by our own fault. */
  Failed: 'Count',
  /** Requests refused: 4xx, the 503 of a bulk send that is too large or too fast, credentials that are wrong. */
  Refused: 'Count',
  /** Those of them that the gateway counts as failures: a bulk send, or a callback to a receiver that is set to 503. */
  RefusedAs503: 'Count',
  /** Requests refused because their partner has used up a budget of requests. */
  OverBudget: 'Count',
  /** Messages and rows of our own that cannot be read, stored under `PARKED#` with the reason. */
  Parked: 'Count',
  /** Receipts of the wallet platform that cannot be read, stored in the same way. */
  ReceiptsParked: 'Count',
  SessionsStarted: 'Count',
  SessionsFinished: 'Count',
  /** From the acceptance of a list to its end. */
  SessionSeconds: 'Seconds',
  /** Messages to recipients that are registered. */
  PushesAccepted: 'Count',
  PushesNotRegistered: 'Count',
  /** Messages handed to the wallet platform, repeats and those whose deadline has passed included. */
  PushesDispatched: 'Count',
  /** Messages that ended at their deadline. */
  PushesExpired: 'Count',
  /** New states of messages; repeats do not count. */
  ReceiptsRecorded: 'Count',
  CallbacksDelivered: 'Count',
  /** Attempts that failed and will be repeated. */
  CallbacksRetried: 'Count',
  /** Callbacks that were not attempted, because the circuit of the endpoint is open or its line full. */
  CallbacksDeferred: 'Count',
  /** Callbacks that moved to the slow lane, because the endpoint responds slowly. */
  CallbacksSlow: 'Count',
  /** Callbacks kept for a replay: the endpoint is disabled, absent, or all attempts failed. */
  CallbacksSkipped: 'Count',
  /** Endpoints that we disabled because they responded 410 or failed for five days. */
  EndpointsDisabled: 'Count',
  /**
   * The time from the record of a message's state to the first attempt, or to the decision against one (slow endpoint,
   * open circuit, disabled endpoint): the delay that we cause.
   */
  FirstAttemptSeconds: 'Seconds',
  /** Endpoints with an open circuit, counted every minute in which there are any. */
  CircuitsOpen: 'Count',
  /** How long the oldest callback has been due, looked up every minute. */
  OldestDueSeconds: 'Seconds',
} as const;

export type MetricName = keyof typeof metricUnits;

/** Rare metrics that alarms watch over all functions. They are also emitted without the dimension `function`. */
export const sharedMetrics = [
  'Failed',
  'Parked',
  'EndpointsDisabled',
  'OverBudget',
] as const satisfies MetricName[];

export type SharedMetricName = (typeof sharedMetrics)[number];
