/**
 * Every number of the infrastructure, and what differs between stages. Units are in the names.
 */

export const stages = ['dev', 'staging', 'prod'] as const;
export type Stage = (typeof stages)[number];

export function isStage(value: unknown): value is Stage {
  return stages.some((stage) => stage === value);
}

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
  /** Periods that are looked at. */
  readonly periods: number;
  /** Of these, as many must be at the threshold. Left out: all. */
  readonly datapoints?: number;
}

/** How new code takes over from old. */
export type Rollout =
  /** In place: no versions, no aliases. */
  | 'in place'
  /** By versions and the alias `live`, which CodeDeploy moves in one step. */
  | 'all at once'
  /** As above, but for 5 minutes a tenth of the calls goes to the new version; alarms take it back. */
  | 'canary';

/** Whose calls must find a free function, however busy all others are. */
type ReservedConcurrency = Partial<
  Record<'AuthorizePartner' | 'ListCheckIns' | 'RegisterCheckIn' | 'OpenCheckIn', number>
>;

/** A name of one's own for the API. Its certificate lies in the API's region. */
export interface Domain {
  /** `api.example.com` */
  readonly name: string;
  readonly certificateArn: string;
  /**
   * Only clients with a certificate from these authorities are served, the wallet platform among them. The file
   * (PEM) must be in the bucket before the deployment.
   */
  readonly truststore?: { readonly bucket: string; readonly key: string; readonly version?: string };
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
  dlqRetentionDays: 14,
  batchSize: 10,
  /** A message holds up to 500 receipts, each a write: five are 2,500 writes in the 30 s that the function has. */
  receiptsBatchSize: 5,
  /**
   * Of the 1,000 functions an account may run at once: 2,000 attempts side by side. However slow partners'
   * endpoints are, functions are left for requests, and no message is received that could not be worked on.
   */
  callbackWorkers: 200,
  /**
   * 400 attempts side by side at endpoints that take 2 s and more: 27 a second if each takes 15 s. The slow ones wait
   * for each other here, and nobody for them.
   */
  slowCallbackWorkers: 40,
  /** Each writes some 400 receipts a second: 20,000 in all, half of what a new account's table may take. */
  receiptWorkers: 50,
  /** Slices of one offer wait for each other, so this many offers are worked off side by side. */
  sliceWorkers: 50,
  /** Rare, and nobody waits for it. */
  failedSliceWorkers: 5,
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
  /** A message may be sent with 900 s of delay, which can count as age: 600 s of waiting are late here too. */
  callbackAgeSeconds: { threshold: 1_500, periodMinutes: 5, periods: 1 },
  /** Who is slow waits behind who is slow, and a large slow partner for hours: a day would be long. */
  slowCallbackAgeSeconds: { threshold: 3_600, periodMinutes: 5, periods: 1 },
  dlqMessages: { threshold: 1, periodMinutes: 5, periods: 1 },
  dlqAgeSeconds: { threshold: 900, periodMinutes: 5, periods: 1 },
  streamAgeMs: { threshold: 300_000, periodMinutes: 5, periods: 2 },
  tableThrottles: { threshold: 10, periodMinutes: 5, periods: 2 },
  rowsParked: { threshold: 1, periodMinutes: 5, periods: 1 },
  /** A few odd receipts happen (a message 30 days old); many are a defect of the wallet platform, or of ours. */
  receiptsParked: { threshold: 100, periodMinutes: 15, periods: 1 },
  /** Every minute sends what is due: fifteen mean that it cannot keep up. */
  retriesDueSeconds: { threshold: 900, periodMinutes: 5, periods: 2 },
  /** One partner's outage is its own matter. So many at once, and the way out is ours. */
  circuitsOpen: { threshold: 10, periodMinutes: 5, periods: 2 },
  /** The gateway remembers verdicts, so a partner with one wrong secret counts once in five minutes. */
  credentialsRefused: { threshold: 100, periodMinutes: 5, periods: 1 },
  /** One run a minute: below one in five minutes the schedule stands still. */
  minutelyRuns: { threshold: 1, periodMinutes: 5, periods: 1 },
  /**
   * One bad minute happens to any code (a lost connection). Two of three, while a tenth of the calls goes to new
   * code, do not; and they show in time within the 5 minutes of a canary, also where calls are few.
   */
  rollback: { threshold: 1, periodMinutes: 1, periods: 3, datapoints: 2 },
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
  /** Where the wallet platform lives. Another account is asked for like the address of alarms. */
  readonly walletAccount: 'this one' | 'asked for';
  readonly rollout: Rollout;
  /** Lets a mend through while the code it mends keeps the alarms red. Set for one deployment, never here. */
  readonly ignoreRollbackAlarms?: boolean;
  readonly reservedConcurrency: ReservedConcurrency;
  /** Left out: the API's own name, `<id>.execute-api.<region>.amazonaws.com`. */
  readonly domain?: Domain;
}

type Differences = Omit<
  StageConfig,
  'stage' | 'namePrefix' | 'sizes' | 'queues' | 'streams' | 'alarms' | 'authorizerCacheSeconds'
>;

/*
 * A stage's own domain is one more entry of `differences`. The deployment prints where DNS must point:
 *
 *   domain: {
 *     name: 'api.example.com',
 *     certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/...',
 *     truststore: { bucket: 'example-truststore', key: 'clients.pem', version: '...' },  // mutual TLS
 *   },
 */

const kept: Differences = {
  table: { retained: true, deletionProtection: true, customerManagedKey: true },
  logs: { retentionDays: 30, level: 'INFO', retained: true },
  throttle: {
    route: { requestsPerSecond: 500, burst: 500 },
    syncRoute: { requestsPerSecond: 5, burst: 20 },
  },
  alarmsByEmail: true,
  walletAccount: 'asked for',
  // No canary: there is too little traffic here for a tenth of it to tell anything.
  rollout: 'all at once',
  reservedConcurrency: {},
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
    walletAccount: 'this one',
    // The local runner and `sam local` run this template: functions are called by their own names.
    rollout: 'in place',
    reservedConcurrency: {},
  },
  staging: kept,
  prod: {
    ...kept,
    logs: { ...kept.logs, retentionDays: 90 },
    throttle: {
      route: { requestsPerSecond: 2000, burst: 2000 },
      syncRoute: { requestsPerSecond: 20, burst: 50 },
    },
    rollout: 'canary',
    // A reservation is a ceiling too, so each is what its route's 2,000 requests a second need, with room:
    // 2,000/s of 25 ms keep 50 busy. The quota of the account must be 1,000 at least.
    reservedConcurrency: {
      // Before every request of a partner whose verdict is not cached, and slower while it starts: twice that.
      AuthorizePartner: 100,
      ListCheckIns: 50,
      RegisterCheckIn: 50,
      OpenCheckIn: 50,
    },
  },
};

export function configOf(stage: Stage): StageConfig {
  return {
    stage,
    namePrefix: `partner-integration-${stage}`,
    sizes,
    queues,
    streams,
    alarms,
    authorizerCacheSeconds: 300,
    ...differences[stage],
  };
}
