import { RemovalPolicy } from 'aws-cdk-lib';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Service } from '../service.ts';
import { type LogMetricName, logMetric } from './metrics.ts';

/** A log group under a fixed name, with the stage's retention. */
export function logGroup({ stack, config }: Service, id: string, logGroupName: string): LogGroup {
  return new LogGroup(stack, id, {
    logGroupName,
    retention: config.logRetentionDays,
    // Not RETAIN: a first deployment that fails would leave the log group behind, and the second could not create it.
    removalPolicy: config.keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
}

/** The name of the access log. The prefix keeps the account's log resource policy, whose size is limited, from growing. */
export function accessLogName({ namePrefix }: Service['config']): string {
  return `/aws/vendedlogs/apigateway/${namePrefix}-api`;
}

/** Counts the lines of a log group that match a pattern. Without such a line the metric has no data and no price. */
export function countLines(
  { stack, config }: Service,
  logGroup: LogGroup,
  { name, id = `Count${name}`, pattern }: { name: LogMetricName; id?: string; pattern: string },
): void {
  const { namespace: metricNamespace, metricName } = logMetric(config, name);
  const filterPattern = FilterPattern.literal(pattern);
  new MetricFilter(stack, id, { logGroup, filterPattern, metricNamespace, metricName });
}
