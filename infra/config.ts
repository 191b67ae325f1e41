import { reservedInProd } from './reserved-concurrency.ts';

/** Numbers that several parts of the infrastructure use, and what differs between stages. Units are in the names. */

export const stages = ['dev', 'sandbox', 'staging', 'prod'] as const;
export type Stage = (typeof stages)[number];

export function isStage(value: unknown): value is Stage {
  return stages.some((stage) => stage === value);
}

export type FunctionSize = {
  memoryMb: number;
  timeoutSeconds: number;
};

export type Throttle = {
  requestsPerSecond: number;
  burst: number;
};

/** How new code replaces old code. */
type Rollout =
  /** In place: no versions, no aliases. */
  | 'in place'
  /** With versions and the alias `live`, which CodeDeploy moves in one step. */
  | 'all at once'
  /** The same, but for 5 minutes the new version gets a tenth of the calls, and alarms roll it back. */
  | 'canary';

/** A custom domain of the API. Its certificate must be in the API's region. */
export type Domain = {
  /** `api.example.com` */
  name: string;
  certificateArn: string;
  /**
   * Mutual TLS: only clients with a certificate from these authorities are served, the wallet platform included. The
   * file (PEM) must be in the bucket before the deployment.
   */
  truststore?: { bucket: string; key: string; version?: string };
};

export const sizes = {
  /** Runs before every other function, at most once per account and cache period. */
  authorizer: { memoryMb: 1024, timeoutSeconds: 5 },
  /** Lambda gives processor by memory, and customers at cash desks wait for cold starts. */
  endpoint: { memoryMb: 1024, timeoutSeconds: 10 },
  /** Endpoints that work for longer get as much time as the gateway waits at most. */
  longEndpoint: { memoryMb: 1024, timeoutSeconds: 29 },
  /** Gunzips and parses up to 100,000 places: one whole vCPU, and as long as the gateway waits at most. */
  listEndpoint: { memoryMb: 1769, timeoutSeconds: 29 },
  /** Must not exceed 4 s, or two check-ins opened at once could share a secret code. */
  checkInOpening: { memoryMb: 1024, timeoutSeconds: 4 },
  worker: { memoryMb: 1024, timeoutSeconds: 30 },
  /** 100,000 new places are 100 s of writes: a partition key takes 1,000 a second. */
  listWorker: { memoryMb: 1769, timeoutSeconds: 300 },
  /**
   * The attempts of a batch run in parallel, each for 30 s at most (a partner's setting); then their outcomes are
   * written. How long a row is claimed (90 s) and a probe may take (60 s) depends on this timeout.
   */
  callbackAttempt: { memoryMb: 1024, timeoutSeconds: 60 },
  /** It stops by itself after 40 s: the next minute's run continues. */
  dueSweep: { memoryMb: 1024, timeoutSeconds: 60 },
} as const satisfies Record<string, FunctionSize>;

export const queues = {
  dlqRetentionDays: 14,
  batchSize: 10,
  /**
   * Allows 2,000 attempts in parallel. However slow partners' endpoints are, some of the account's 1,000 concurrent
   * executions are left for requests, and no message is received that cannot be processed.
   */
  callbackWorkers: 200,
  /** Each writes about 400 receipts a second: 20,000 in all, half of what a new account's table may take. */
  receiptWorkers: 50,
  /** The lists of an offer wait for each other, so this many offers are processed in parallel. */
  listWorkers: 50,
  simulatedWalletWorkers: 10,
} as const;

export const streams = {
  batchSize: 100,
  /**
   * How many batches of a shard are processed at once: one that is slow or fails delays only its share. A table that takes
   * 40,000 writes a second has 40 shards, so the two readers run at most 160 times at once.
   */
  batchesAtOnce: 2,
} as const;

/** The limit of each route that needs no key. Ten browsers that open the console at once request 40 files. */
export const openRoute: Throttle = { requestsPerSecond: 20, burst: 100 };

/** These settings differ between stages. */
type Differences = {
  /**
   * The table and logs outlive their stacks. The table is protected from deletion and encrypted by a key of ours. Alarms
   * notify an email address, a parameter of the stack.
   */
  keepsData: boolean;
  logRetentionDays: number;
  /**
   * The limit of each other route, for all partners together. It is the ceiling of the service: a partner's own limit is
   * its request budget, of 1,000 in 10 s and at most half more, which may all arrive in one second.
   */
  route: Throttle;
  /** A notice is sent at 80 % of this sum. Left out: no budget, because nobody would receive the notice. */
  monthlyBudgetDollars?: number;
  /**
   * The wallet platform: the company's, in an AWS account that a parameter of the stack names, or functions of the
   * stack `sandbox`, which stages with a real one do not have.
   */
  wallet: 'real' | 'simulated';
  /** The default rate limit of a partner, in recipients a minute as rule 49 counts them. */
  pushesPerMinute: number;
  /**
   * The streets below the points of the console's map. Left out: points on a plain ground. The server of the tiles learns
   * where partners look, and must not ask for a Referer, which the page does not send.
   */
  mapTiles?: {
    /** `https://tiles.example.com/{z}/{x}/{y}.png` */
    url: string;
    /** The HTML that the owner of the tiles wants to be named by. */
    attribution: string;
  };
  rollout: Rollout;
  /** Lets a fix through while the broken code keeps its alarms red. Set for one deployment, never here. */
  ignoreRollbackAlarms?: boolean;
  /** Functions that always find this much concurrency, however busy the others are, and never take more. */
  reservedConcurrency: Readonly<Record<string, number>>;
  /** Left out: the API's own name, `<id>.execute-api.<region>.amazonaws.com`. */
  domain?: Domain;
};

export type StageConfig = Differences & {
  stage: Stage;
  /** The beginning of every physical name, so that stages can share an account. */
  namePrefix: string;
};

/*
 * A stage gets a custom domain by one more entry in `differences`. The deployment prints where DNS must point:
 *
 *   domain: {
 *     name: 'api.example.com',
 *     certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/...',
 *     truststore: { bucket: 'example-truststore', key: 'clients.pem', version: '...' },  // mutual TLS
 *   },
 */

const permanent: Differences = {
  keepsData: true,
  logRetentionDays: 30,
  route: { requestsPerSecond: 500, burst: 1_500 },
  monthlyBudgetDollars: 50,
  wallet: 'real',
  pushesPerMinute: 100_000,
  // No canary: staging has too little traffic for a tenth of it to show anything.
  rollout: 'all at once',
  reservedConcurrency: {},
};

const differences: Record<Stage, Differences> = {
  dev: {
    keepsData: false,
    logRetentionDays: 7,
    route: { requestsPerSecond: 500, burst: 1_500 },
    wallet: 'simulated',
    pushesPerMinute: 100_000,
    // The local runner and `sam local` run this template, and call functions by their own names.
    rollout: 'in place',
    reservedConcurrency: {},
  },
  // The stage for partners' engineers. It is protected as staging is, because they rely on what they set up.
  sandbox: {
    ...permanent,
    wallet: 'simulated',
    pushesPerMinute: 1_000,
    // A ceiling: receivers that partners set to answer after 20 s could hold every execution of the account. Callbacks
    // above it are answered 503, and are retried as for any server of a partner.
    reservedConcurrency: { TakeSandboxCallback: 100 },
  },
  staging: permanent,
  prod: {
    ...permanent,
    logRetentionDays: 90,
    // It covers twenty partners at their full budget on one route. Functions with a reservation serve fewer, the others
    // 1,800 a second together in an account with the default quota and a table that is not warmed; beyond, the gateway
    // responds 503.
    route: { requestsPerSecond: 2_000, burst: 3_000 },
    // A national retailer costs about 340 dollars (docs/capacity.md).
    monthlyBudgetDollars: 500,
    rollout: 'canary',
    reservedConcurrency: reservedInProd,
  },
};

export function stageConfig(stage: Stage): StageConfig {
  return { stage, namePrefix: `partner-integration-${stage}`, ...differences[stage] };
}
