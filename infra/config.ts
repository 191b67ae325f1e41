/**
 * Every number of the infrastructure, and what differs between stages. Units are in the names.
 */

export const stages = ['dev', 'staging', 'prod'] as const;
export type Stage = (typeof stages)[number];

export const isStage = (value: unknown): value is Stage => stages.some((stage) => stage === value);

export interface FunctionSize {
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
}

export interface Throttle {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

export interface AlarmRule {
  /** The alarm goes off when the value is at least this. */
  readonly threshold: number;
  readonly periodMinutes: number;
  /** Periods in a row. */
  readonly periods: number;
}

const sizes = {
  /** Runs at most once per account and cache period, before every other function. */
  authorizer: { memoryMb: 1024, timeoutSeconds: 5 },
  endpoint: { memoryMb: 1024, timeoutSeconds: 10 },
  /** Inflates, validates and sorts up to 100,000 places: a whole vCPU, and what the gateway waits at most. */
  listEndpoint: { memoryMb: 1769, timeoutSeconds: 29 },
  /** No longer: that two check-ins opened at once cannot share a secret code is reckoned with these 4 s. */
  checkInOpening: { memoryMb: 1024, timeoutSeconds: 4 },
  /** A failed message stays hidden six times this long, and holds up the list behind it. */
  worker: { memoryMb: 1024, timeoutSeconds: 30 },
  /**
   * A batch is attempted side by side, each attempt 30 s long at most by a partner's settings, and its outcome
   * must still be written. Claims of rows (90 s) and probes (60 s) are reckoned with this life.
   */
  callbackAttempt: { memoryMb: 1024, timeoutSeconds: 60 },
  /** It stops by itself after 40 s: the next minute's run goes on. */
  callbackResume: { memoryMb: 1024, timeoutSeconds: 60 },
} as const satisfies Record<string, FunctionSize>;

const queues = {
  /** SQS's own advice: a message must not reappear while the attempts of one poll may still be running. */
  visibilityTimeouts: 6,
  maxReceiveCount: 5,
  retentionDays: 4,
  deadRetentionDays: 14,
  batchSize: 10,
  /**
   * Of the 1,000 functions an account may run at once: 2,000 attempts side by side. However slow partners'
   * endpoints are, functions are left for requests, and no message is received that could not be worked on.
   */
  callbackWorkers: 200,
} as const;

const streams = {
  batchSize: 100,
  /** Halving a batch of 100 down to one record takes 7 attempts; these come on top. */
  retryAttempts: 12,
  /** Half of what the stream keeps: there is a day's worth of time to mend and replay. */
  maxRecordAgeHours: 12,
} as const;

const alarms = {
  serverErrorPercent: { threshold: 1, periodMinutes: 5, periods: 2 },
  /** Below this many requests in a period one failure is no rate. */
  serverErrorMinRequests: 20,
  authorizerErrors: { threshold: 5, periodMinutes: 5, periods: 1 },
  workerErrors: { threshold: 5, periodMinutes: 5, periods: 2 },
  /** Of five runs in a period. */
  minutelyErrors: { threshold: 3, periodMinutes: 5, periods: 2 },
  /** Synchronization takes about a minute: this is far outside its variation. */
  queueAgeSeconds: { threshold: 600, periodMinutes: 5, periods: 1 },
  deadArrivals: { threshold: 1, periodMinutes: 5, periods: 1 },
  deadAgeSeconds: { threshold: 900, periodMinutes: 5, periods: 1 },
  streamAgeMs: { threshold: 300_000, periodMinutes: 5, periods: 2 },
  tableThrottles: { threshold: 10, periodMinutes: 5, periods: 2 },
} as const;

export interface StageConfig {
  readonly stage: Stage;
  /** Begins every physical name, so that stages can share an account. */
  readonly namePrefix: string;
  readonly sizes: typeof sizes;
  readonly queues: typeof queues;
  readonly streams: typeof streams;
  readonly alarms: typeof alarms;
  readonly authorizerCacheSeconds: number;
  readonly table: {
    readonly retained: boolean;
    readonly deletionProtection: boolean;
    readonly customerManagedKey: boolean;
  };
  readonly logs: {
    readonly retentionDays: number;
    readonly level: 'DEBUG' | 'INFO';
    readonly retained: boolean;
  };
  /** Limits of one route over all partners. */
  readonly throttle: { readonly route: Throttle; readonly syncRoute: Throttle };
  /** The deployment asks for the address once and CloudFormation keeps it. */
  readonly alarmsByEmail: boolean;
}

type Differences = Pick<StageConfig, 'table' | 'logs' | 'throttle' | 'alarmsByEmail'>;

const kept: Differences = {
  table: { retained: true, deletionProtection: true, customerManagedKey: true },
  logs: { retentionDays: 30, level: 'INFO', retained: true },
  throttle: {
    route: { requestsPerSecond: 500, burst: 500 },
    syncRoute: { requestsPerSecond: 5, burst: 20 },
  },
  alarmsByEmail: true,
};

const differences: Record<Stage, Differences> = {
  dev: {
    table: { retained: false, deletionProtection: false, customerManagedKey: false },
    logs: { retentionDays: 7, level: 'DEBUG', retained: false },
    throttle: {
      route: { requestsPerSecond: 50, burst: 100 },
      syncRoute: { requestsPerSecond: 2, burst: 10 },
    },
    alarmsByEmail: false,
  },
  staging: kept,
  prod: {
    ...kept,
    logs: { ...kept.logs, retentionDays: 90 },
    throttle: {
      route: { requestsPerSecond: 2000, burst: 2000 },
      syncRoute: { requestsPerSecond: 20, burst: 50 },
    },
  },
};

export const configOf = (stage: Stage): StageConfig => ({
  stage,
  namePrefix: `partner-integration-${stage}`,
  sizes,
  queues,
  streams,
  alarms,
  authorizerCacheSeconds: 300,
  ...differences[stage],
});

/** 1 kB is 1,000 bytes, as package sizes are usually given. */
export const bundleBudgetBytes = 460_000;
