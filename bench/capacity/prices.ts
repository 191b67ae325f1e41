/** A published number: US dollars without tax, region us-east-1, no free tier, first price step. */
export interface Price {
  readonly dollars: number;
  readonly source: string;
  /** When the source was written, or when its stored copy was read. */
  readonly date: string;
}

const known = 'known from the published price list, no stored copy found';

export const region = 'us-east-1';

/** Looked up on 21 November 2026 in stored copies of public pages; none was fetched live. */
export const prices = {
  /** On-demand, since the cut of November 2024. */
  millionWriteUnits: {
    dollars: 0.625,
    source: 'https://airbyte.com/data-engineering-resources/dynamodb-pricing',
    date: '2025-07-21',
  },
  millionReadUnits: {
    dollars: 0.125,
    source: 'https://airbyte.com/data-engineering-resources/dynamodb-pricing',
    date: '2025-07-21',
  },
  tableGbMonth: { dollars: 0.25, source: 'https://aws.amazon.com/dynamodb/pricing/', date: '2026-11-21' },
  /** Point-in-time recovery. */
  backupGbMonth: { dollars: 0.2, source: known, date: '2026-11-21' },
  millionInvocations: {
    dollars: 0.2,
    source: 'https://cloudchipr.com/blog/aws-lambda-pricing',
    date: '2024',
  },
  /** arm64, the first 7.5 billion GB-seconds of a month. */
  gbSecond: { dollars: 0.0000133334, source: 'https://cloudchipr.com/blog/aws-lambda-pricing', date: '2024' },
  /** Each 64 kB of a request counts as one. */
  millionStandardQueueRequests: {
    dollars: 0.4,
    source: 'https://cloudburn.io/blog/amazon-sqs-pricing',
    date: '2026-03-14',
  },
  /** On top, for requests with a message group in a standard queue. */
  millionFairQueueRequests: {
    dollars: 0.1,
    source: 'https://cloudburn.io/blog/amazon-sqs-pricing',
    date: '2026-03-14',
  },
  millionFifoQueueRequests: {
    dollars: 0.5,
    source: 'https://cloudburn.io/blog/amazon-sqs-pricing',
    date: '2026-03-14',
  },
  /** HTTP API, the first 300 million of a month, 512 kB each. */
  millionHttpRequests: {
    dollars: 1,
    source: 'https://awsforengineers.com/blog/aws-api-gateway-pricing-explained',
    date: '2025-05-19',
  },
  /** Logs of Lambda have steps since May 2025; this is the first, up to 10 TB a month. */
  logGb: { dollars: 0.5, source: 'https://www.duckbillgroup.com/?p=9080', date: '2025-05' },
  /** Of what is stored, which is compressed: see `storedLogShare`. */
  logGbMonth: {
    dollars: 0.03,
    source: 'https://hykell.com/kb/platform-specific-guides/aws-cloudwatch-logs-pricing',
    date: '2026-11-21',
  },
  customMetric: {
    dollars: 0.3,
    source: 'https://signoz.io/guides/cloudwatch-pricing',
    date: '2026-02-15',
  },
  alarm: { dollars: 0.1, source: known, date: '2026-11-21' },
  dashboard: {
    dollars: 3,
    source: 'https://www.factualminds.com/blog/amazon-cloudwatch-pricing-metrics-logs-alarms-dashboards.md',
    date: '2026-06-13',
  },
  millionTraces: { dollars: 5, source: 'https://aws.amazon.com/de/xray/pricing/', date: '2026-11-21' },
  /** To the internet, the first 10 TB of a month. */
  gbOut: { dollars: 0.09, source: 'https://www.apigatewaycost.com/aws', date: '2026-11-21' },
  key: { dollars: 1, source: 'https://aws.amazon.com/kms/pricing/', date: '2026-11-21' },
  tenThousandKeyRequests: {
    dollars: 0.03,
    source: 'https://www.wring.co/blog/aws-kms-pricing-guide',
    date: '2026-11-21',
  },
} as const satisfies Record<string, Price>;

/** Logs are stored compressed, to about so much of what came in. */
export const storedLogShare = 0.15;

/** X-Ray's own rule: the first request a second, and of the others this share. */
export const tracedShare = 0.05;
