import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { StageConfig } from '../config.ts';
import type { Service } from '../service.ts';

const metricName = 'GatewayFailures';

/** Dimensions of a metric from a log are fields of its lines, which do not name the stage: so it is the namespace. */
export function gatewayFailures({ namePrefix }: StageConfig): Metric {
  return new Metric({ namespace: namePrefix, metricName, statistic: 'Sum' });
}

/** The gateway responds 500 to a crash or timeout, and 503 to throttled calls and refused bulk sends. */
export function countGatewayFailures({ stack, config }: Service, accessLogs: LogGroup): void {
  new MetricFilter(stack, metricName, {
    logGroup: accessLogs,
    filterPattern: FilterPattern.stringValue('$.status', '=', '500'),
    metricNamespace: config.namePrefix,
    metricName,
  });
}
