import { stageConfig } from '../../infra/config.ts';
import { daysAMonth } from './load.ts';

/** The page of each price with its date, as read in stored copies on 21 November 2026. */
const sources = {
  dynamodb: 'https://airbyte.com/data-engineering-resources/dynamodb-pricing (2025-07-21)',
  dynamodbStorage: 'https://aws.amazon.com/dynamodb/pricing/ (2026-11-21)',
  lambda: 'https://cloudchipr.com/blog/aws-lambda-pricing (2024)',
  sqs: 'https://cloudburn.io/blog/amazon-sqs-pricing (2026-03-14)',
  gateway: 'https://awsforengineers.com/blog/aws-api-gateway-pricing-explained (2025-05-19)',
  logs: 'https://www.duckbillgroup.com/?p=9080 (2025-05)',
  storedLogs: 'https://hykell.com/kb/platform-specific-guides/aws-cloudwatch-logs-pricing (2026-11-21)',
  metrics: 'https://signoz.io/guides/cloudwatch-pricing (2026-02-15)',
  dashboards:
    'https://www.factualminds.com/blog/amazon-cloudwatch-pricing-metrics-logs-alarms-dashboards.md (2026-06-13)',
  xray: 'https://aws.amazon.com/de/xray/pricing/ (2026-11-21)',
  dataOut: 'https://www.apigatewaycost.com/aws (2026-11-21)',
  kms: 'https://aws.amazon.com/kms/pricing/ (2026-11-21)',
  kmsRequests: 'https://www.wring.co/blog/aws-kms-pricing-guide (2026-11-21)',
  known: 'known from the published price list, no stored copy found',
} as const;

const million = 1e6;

/** A GB of log is stored, compressed to about 15 %, as long as prod keeps it. */
const storedLogMonths = 0.15 * (stageConfig('prod').logRetentionDays / daysAMonth);

export const region = 'us-east-1';

/** Prices without tax, free tier and volume steps, in dollars for `per` of a resource. Two rows of a resource add up. */
export const prices = [
  { of: 'writes', service: 'DynamoDB', dollars: 0.625, per: million, source: sources.dynamodb },
  { of: 'reads', service: 'DynamoDB', dollars: 0.125, per: million, source: sources.dynamodb },
  { of: 'storedGb', service: 'DynamoDB', dollars: 0.25, per: 1, source: sources.dynamodbStorage },
  // This is the price of point-in-time recovery.
  { of: 'storedGb', service: 'DynamoDB', dollars: 0.2, per: 1, source: sources.known },
  { of: 'invocations', service: 'Lambda', dollars: 0.2, per: million, source: sources.lambda },
  // This is the price on arm64.
  { of: 'gbSeconds', service: 'Lambda', dollars: 0.0000133334, per: 1, source: sources.lambda },
  // Each 64 kB of a request counts as one. Message groups cost extra in a standard queue.
  { of: 'standardQueueRequests', service: 'SQS', dollars: 0.4, per: million, source: sources.sqs },
  { of: 'fairQueueRequests', service: 'SQS', dollars: 0.4 + 0.1, per: million, source: sources.sqs },
  { of: 'fifoQueueRequests', service: 'SQS', dollars: 0.5, per: million, source: sources.sqs },
  { of: 'httpRequests', service: 'API Gateway', dollars: 1, per: million, source: sources.gateway },
  { of: 'logGb', service: 'CloudWatch', dollars: 0.5, per: 1, source: sources.logs },
  { of: 'logGb', service: 'CloudWatch', dollars: 0.03 * storedLogMonths, per: 1, source: sources.storedLogs },
  { of: 'customMetrics', service: 'CloudWatch', dollars: 0.3, per: 1, source: sources.metrics },
  { of: 'alarms', service: 'CloudWatch', dollars: 0.1, per: 1, source: sources.known },
  // What the lines that match a rule cost is left out: they are failures.
  { of: 'insightRules', service: 'CloudWatch', dollars: 0.5, per: 1, source: sources.known },
  { of: 'dashboards', service: 'CloudWatch', dollars: 3, per: 1, source: sources.dashboards },
  { of: 'traces', service: 'X-Ray', dollars: 5, per: million, source: sources.xray },
  // This is the price of data to the internet.
  { of: 'gbOut', service: 'data out', dollars: 0.09, per: 1, source: sources.dataOut },
  { of: 'keys', service: 'KMS', dollars: 1, per: 1, source: sources.kms },
  { of: 'keyRequests', service: 'KMS', dollars: 0.03, per: 10_000, source: sources.kmsRequests },
] as const;

export type Price = (typeof prices)[number];
export type Resource = Price['of'];

/** Requests to send, receive and delete a message: SQS charges each begun 64 kB of it. */
export function queueRequests(bytes: number): number {
  return 2 * Math.ceil(bytes / 65_536) + 1;
}
