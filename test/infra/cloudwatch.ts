import { propertiesOf, type Resources } from './synthesize.ts';

/** Whether CloudWatch Logs would count a line by a pattern such as `{ $.status = "500" && $.partnerId != "-" }`. */
function matches(pattern: string, line: Record<string, string>): boolean {
  const condition = pattern
    .replace(/^\{|\}$/g, '')
    .replaceAll(
      /\$\.([\w.]+) (!?=) /g,
      (_, name: string, sign: string) => `line['${name}'] ${sign === '=' ? '===' : '!=='} `,
    );
  return new Function('line', `return ${condition}`)(line);
}

/** Returns the metrics that count a line of a log group. */
export function countedBy(template: Resources, logGroup: string, line: Record<string, string>): string[] {
  return propertiesOf(template, 'AWS::Logs::MetricFilter')
    .filter(({ LogGroupName }) => LogGroupName.Ref === logGroup)
    .filter(({ FilterPattern }) => matches(FilterPattern, line))
    .map(({ MetricTransformations: [{ MetricName }] }) => MetricName);
}

/** Evaluates an expression of an alarm: CloudWatch's are valid JavaScript once their functions are defined. */
export function evaluate(expression: string, metrics: Record<string, unknown>) {
  const scope = {
    IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
    FILL: (value: number | undefined, otherwise: number) => value ?? otherwise,
    ...metrics,
  };
  return new Function(...Object.keys(scope), `return ${expression}`)(...Object.values(scope));
}
