/**
 * Limits and latencies of AWS, which the local engine does not have. Every number names its source; where AWS publishes
 * none, the comment says what is assumed.
 */
export const physics = {
  /**
   * Units per second of one partition key of the table or of an index. Burst capacity is not counted on.
   * docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
   */
  partitionUnits: { write: 1_000, read: 3_000 },
  /**
   * Units per second of a new on-demand table, and of each of its indexes.
   * docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html
   */
  tableUnits: { write: 4_000, read: 12_000 },
  /**
   * The duration of a function's call, in milliseconds. AWS promises "single-digit milliseconds" on average and does
   * not publish the tail. Assumed: 1 call in 100 takes up to 80 ms, 1 in 1,000 up to a second.
   * aws.amazon.com/dynamodb/sla, docs.aws.amazon.com/amazondynamodb/latest/developerguide/TroubleshootingLatency.html
   */
  callMs: [
    { upTo: 0.99, from: 2, to: 10 },
    { upTo: 0.999, from: 10, to: 80 },
    { upTo: 1, from: 80, to: 1_000 },
  ],
  /**
   * How long a transaction in progress makes other writes of its rows fail; assumed.
   * docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html (TransactionConflictException)
   */
  transactionMs: [5, 30],
  /**
   * The share of tries of transactions that are throttled on any day, as when a partition is split; assumed. The table
   * cancels them, which the SDK does not repeat as it does with single writes.
   * docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
   */
  transactionsThrottled: 0.02,
  /**
   * The AWS SDK for JavaScript with our four attempts. After throttling it waits up to 2^n seconds, never over
   * 20 s; after a conflict with a transaction, up to 25 ms times 2^n. Each such retry takes five of 500 tokens, and
   * each success gives one back.
   * docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
   */
  sdk: {
    attempts: 4,
    throttledDelayMs: 1_000,
    conflictDelayMs: 25,
    longestDelayMs: 20_000,
    tokens: 500,
    tokensOfRetry: 5,
  },
  /** docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
  queueBytes: 1_048_576,
  /**
   * What a function has reserved counts against the account's concurrency whether it is in use or not. An execution serves
   * so many requests a second, however short they are; how Lambda measures the second is assumed.
   * docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html,
   * docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
   */
  account: {
    functionsAtOnce: 1_000,
    requestsPerExecution: 10,
    eventBytes: 6_291_456,
    responseBytes: 6_291_556,
  },
  /**
   * AWS says "under 100 ms to over 1 second". Assumed: the lower part, as our bundles are small.
   * docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
   */
  coldStartMs: [150, 600],
  /**
   * Processor time of an invocation, in milliseconds of one vCPU: what `npm run bench` measures for most functions, and
   * what 10,000 recipients or places in a request take. Assumed to be the same on Lambda, where a function has a share of a
   * vCPU that grows with its memory up to `vcpuMb`.
   * docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
   */
  processor: {
    ms: 3,
    msOfLarge: 120,
    large: /^(?:SendBulk|SendMulti|StartSync)$/,
    vcpuMb: 1_769,
  },
  /**
   * How many batches a mapping invokes concurrently: `first` at the beginning, and `morePerMinute` more for each minute
   * of backlog.
   * docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
   */
  queueMapping: { first: 5, morePerMinute: 300 },
} as const;
