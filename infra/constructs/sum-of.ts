import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';

/** The sum of several metrics. One without data counts as 0. `id` begins the names of the terms in the expression. */
export function sumOf(
  id: string,
  metrics: readonly IMetric[],
  period: Duration,
  label?: string,
): MathExpression {
  return new MathExpression({
    ...(label === undefined ? {} : { label }),
    expression: metrics.map((_, n) => `FILL(${id}${n}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, n) => [`${id}${n}`, metric])),
    period,
  });
}
