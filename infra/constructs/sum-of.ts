import { type IMetric, MathExpression, type MathExpressionOptions } from 'aws-cdk-lib/aws-cloudwatch';

/** The sum of several metrics. One without data counts as 0. `id` begins the names of the terms in the expression. */
export function sumOf(
  id: string,
  metrics: readonly IMetric[],
  options: MathExpressionOptions,
): MathExpression {
  return new MathExpression({
    expression: metrics.map((_, n) => `FILL(${id}${n}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, n) => [`${id}${n}`, metric])),
    ...options,
  });
}
