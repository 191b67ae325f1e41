/**
 * What AWS takes, and how long it takes, where an engine on this machine takes everything at once. Every number has its
 * source; where AWS publishes none, it says what was assumed.
 */
export const physics = {
  /**
   * One partition key of the table or of an index, for each second; no burst is counted on.
   * docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
   */
  partitionUnits: { write: 1_000, read: 3_000 },
  /**
   * A new table on demand, for each second, and each of its indexes.
   * docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html
   */
  tableUnits: { write: 4_000, read: 12_000 },
  /**
   * How long a call of a function takes, in milliseconds. AWS promises "single-digit milliseconds" on average and says
   * nothing of the tail; assumed: 1 in 100 up to 80 ms, 1 in 1,000 up to a second.
   * aws.amazon.com/dynamodb/sla, docs.aws.amazon.com/amazondynamodb/latest/developerguide/TroubleshootingLatency.html
   */
  callMs: [
    { upTo: 0.99, from: 2, to: 10 },
    { upTo: 0.999, from: 10, to: 80 },
    { upTo: 1, from: 80, to: 1_000 },
  ],
  /**
   * For how long a transaction under way refuses other writes of its rows; assumed.
   * docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html (TransactionConflictException)
   */
  transactionMs: [5, 30],
  /**
   * The AWS SDK for JavaScript with our four attempts: what was throttled waits up to a second times 2^n, 20 s at most,
   * what met a transaction up to 25 ms times 2^n. Of 500 tokens each such retry takes five, which a success gives back.
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
  /** docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
  account: { functionsAtOnce: 1_000, eventBytes: 6_291_456, responseBytes: 6_291_556 },
  /**
   * "Under 100 ms to over 1 second"; assumed: the bundles are small.
   * docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
   */
  coldStartMs: [150, 600],
  /**
   * How many batches a mapping hands over at once: so many at first, and so many more in each minute of backlog.
   * docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
   */
  queueMapping: { first: 5, morePerMinute: 300 },
} as const;
