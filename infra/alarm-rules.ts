export type AlarmRule = {
  /** The alarm goes off when the value is at least this. */
  threshold: number;
  periodMinutes: number;
  /** How many of the latest periods are evaluated. */
  periods: number;
  /** How many of these must reach the threshold. Left out: all. */
  datapoints?: number;
};

/** When each alarm goes off. Units are in the names. */
export const alarmRules = {
  serverErrorPercent: { threshold: 1, periodMinutes: 5, periods: 2 },
  /** One or two are chance; five in a quarter of a day suggest that an operation fails which is seldom used. */
  requestsFailing: { threshold: 5, periodMinutes: 360, periods: 1 },
  /** The page is public, so a crowd for a minute is not worth a notification. */
  consoleFilesMissing: { threshold: 10, periodMinutes: 5, periods: 2 },
  /** The gateway caches verdicts, so a partner with one wrong secret counts once in five minutes. */
  credentialsRefused: { threshold: 100, periodMinutes: 5, periods: 1 },
  /** The ceiling of a route is far above what partners may send, so ten are no chance. */
  refusedByGateway: { threshold: 10, periodMinutes: 5, periods: 1 },
  /** A short burst is the partner's own matter. A hundred refusals suggest that it does not slow down. */
  overBudget: { threshold: 100, periodMinutes: 15, periods: 1 },
  /** 10 GB, 0.90 dollars: ten times the busiest hour of a national retailer. */
  bytesAnHour: { threshold: 10e9, periodMinutes: 60, periods: 1 },
  /** 9 dollars an hour: over a weekend more than prod's budget of a month. */
  pagingBytesAnHour: { threshold: 100e9, periodMinutes: 60, periods: 1 },
  workerErrors: { threshold: 5, periodMinutes: 5, periods: 2 },
  /** The minimum number of completed runs, of five in a period. */
  scheduledRuns: { threshold: 3, periodMinutes: 5, periods: 2 },
  /** A list of service points takes about a minute, so this is far beyond its variation. */
  queueAgeSeconds: { threshold: 600, periodMinutes: 5, periods: 1 },
  /** A message that failed once comes back after 180 s, when later ones have long ended its sends. */
  deadlineAgeSeconds: { threshold: 240, periodMinutes: 5, periods: 1 },
  /** The 600 s of other queues plus 900 s, because the delay of a message can count as age. */
  callbackAgeSeconds: { threshold: 1_500, periodMinutes: 5, periods: 1 },
  /** Slow endpoints wait for each other, behind a large slow partner for hours. After a day it would be too late. */
  slowCallbackAgeSeconds: { threshold: 3_600, periodMinutes: 5, periods: 1 },
  dlqMessages: { threshold: 1, periodMinutes: 5, periods: 1 },
  dlqAgeSeconds: { threshold: 900, periodMinutes: 5, periods: 1 },
  streamAgeMs: { threshold: 300_000, periodMinutes: 5, periods: 2 },
  tableThrottles: { threshold: 10, periodMinutes: 5, periods: 2 },
  rowsParked: { threshold: 1, periodMinutes: 5, periods: 1 },
  /** A few are normal (a receipt for a message 30 days old); many are a defect of the wallet platform, or of ours. */
  receiptsParked: { threshold: 100, periodMinutes: 15, periods: 1 },
  /** A run each minute sends what is due: if that takes 15 minutes, the runs cannot keep up. */
  retriesDueSeconds: { threshold: 900, periodMinutes: 5, periods: 2 },
  /** One partner's outage is its own matter; ten at once suggest that our egress fails. */
  circuitsOpen: { threshold: 10, periodMinutes: 5, periods: 2 },
  endpointsDisabled: { threshold: 1, periodMinutes: 5, periods: 1 },
  /**
   * One bad minute can happen to any code (a lost connection). Two are a defect, and they show within the 5 minutes of a
   * canary, also where calls are few. The rule and the metric come from logs, minutes late, and count as 0 until then.
   */
  rollback: { threshold: 1, periodMinutes: 1, periods: 5, datapoints: 2 },
} as const satisfies Record<string, AlarmRule>;

/** The percentage counts as 0 in a period with fewer failed requests, because it means nothing there. */
export const serverErrorMinimum = 5;

/** Service level objectives over 30 days. A budget is the share that may miss its objective. */
export const objectives = {
  /** The time is twice that of two cold starts in a row: the authorizer's and the function's. */
  cashDesk: { budget: 0.001, withinMs: 2_000 },
  pushes: { budget: 0.001 },
  /** The budget is larger, because a large campaign brings more states at once than can be sent in time. */
  callbacks: { budget: 0.01, withinSeconds: 30 },
} as const;

/**
 * How fast a budget is used up, as a multiple of the rate at which it lasts 30 days, and the window in which that is
 * measured: 14.4 uses 2 % of a budget in an hour, 6 uses 5 % in six hours.
 */
export const burnRates = [
  { id: 'Fast', rate: 14.4, minutes: 60 },
  { id: 'Slow', rate: 6, minutes: 360 },
] as const;

/** The rate counts as 0 in a window with fewer bad requests: at night there may be only three requests an hour. */
export const burnMinimum = 5;
