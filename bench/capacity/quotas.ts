/** What AWS allows. Looked up on 21 November 2026 in stored copies of public pages. */
export interface Quota {
  readonly limit: number;
  /** `on request`: AWS raises it when asked. */
  readonly raised: 'on request' | 'never';
  readonly source: string;
}

const docs = 'https://docs.aws.amazon.com';

export const quotas = {
  httpRequestsASecond: {
    limit: 10_000,
    raised: 'on request',
    source: `${docs}/apigateway/latest/developerguide/limits.html`,
  },
  tableWritesASecond: {
    limit: 40_000,
    raised: 'on request',
    source: `${docs}/amazondynamodb/latest/developerguide/on-demand-capacity-mode-max-throughput.html`,
  },
  tableReadsASecond: {
    limit: 40_000,
    raised: 'on request',
    source: `${docs}/amazondynamodb/latest/developerguide/on-demand-capacity-mode-max-throughput.html`,
  },
  partitionWritesASecond: {
    limit: 1_000,
    raised: 'never',
    source: `${docs}/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html`,
  },
  partitionReadsASecond: {
    limit: 3_000,
    raised: 'never',
    source: `${docs}/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html`,
  },
  /** What a table can do on its first day. More is there by use, or by asking for warm throughput. */
  newTableWritesASecond: {
    limit: 4_000,
    raised: 'on request',
    source: `${docs}/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html`,
  },
  functionsAtOnce: {
    limit: 1_000,
    raised: 'on request',
    source:
      'https://serverlessland.com/content/service/lambda/guides/aws-lambda-operator-guide/scaling-concurrency',
  },
  messagesInFlight: {
    limit: 120_000,
    raised: 'on request',
    source: `${docs}/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-fifo.html (of standard queues: known)`,
  },
  fifoCallsASecond: {
    limit: 70_000,
    raised: 'on request',
    source: `${docs}/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html`,
  },
} as const satisfies Record<string, Quota>;

/** A mapping of a standard queue starts with 5 functions and adds up to 300 a minute. */
export const mappingScaling = {
  first: 5,
  addedAMinute: 300,
  source: `${docs}/lambda/latest/dg/services-sqs-scaling.html`,
} as const;
