import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { LineFormatter } from './line-formatter.ts';
import { type MetricName, metricNamespace, metricUnits } from './metric-names.ts';
import { readableStack } from './readable-stack.ts';

/** Service name and level come from POWERTOOLS_SERVICE_NAME and POWERTOOLS_LOG_LEVEL. */
export const logger = new Logger({ logFormatter: new LineFormatter() });

const metrics = new Metrics({ namespace: metricNamespace });

export type Fields = Record<string, unknown>;
export type Measures = Partial<Record<MetricName, number>>;

/**
 * Collects what one unit of work has to say and says it in one wide line: `code` is stable (dashboards and
 * runbooks search for it), `durationMs` is wall time. Never pass a secret, a body or a full phone number.
 * What was measured travels in the same line (CloudWatch's embedded metric format), under the function `code`.
 */
export function startWork(code: string, first: Fields = {}) {
  const startedAt = performance.now();
  const fields: Fields = { code, ...first };
  const measures: Measures = {};
  const line = (more: Fields) => ({
    ...fields,
    ...more,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
    ...embedded(code, measures),
  });
  return {
    addFields: (more: Fields) => {
      Object.assign(fields, more);
    },
    /** Adds to what was measured before. */
    addMetrics: (more: Measures) => {
      for (const [name, value] of entriesOf(more)) measures[name] = (measures[name] ?? 0) + value;
    },
    done: (outcome: string, more: Fields = {}) => logger.info(code, line({ outcome, ...more })),
    failed: (error: unknown, more: Fields = {}) => {
      measures.Failed = 1;
      logger.error(code, { ...line({ outcome: 'failed', ...more }), error: asError(error) });
    },
  };
}

export type Work = ReturnType<typeof startWork>;

/** The collector is shared by all units of work, and empty again before anything else can run. */
function embedded(code: string, measures: Measures): Fields {
  const measured = entriesOf(measures);
  if (measured.length === 0) return {};
  metrics.addDimension('function', code);
  for (const [name, value] of measured) metrics.addMetric(name, metricUnits[name], value);
  // The logger names the service in every line.
  const { service: _named, ...line } = metrics.serializeMetrics();
  metrics.clearMetrics();
  metrics.clearDimensions();
  return line;
}

function entriesOf(measures: Measures) {
  return Object.entries(measures) as [MetricName, number][];
}

/** Causes of causes that a line shows. A library may close them to a ring. */
const mostCauses = 5;

/** Without what libraries hang on their errors: the logger would print it, and the SDK's may hold a whole row. */
function asError(error: unknown, causes = mostCauses): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { name, message, stack, cause } = error;
  const told = cause === undefined || causes === 0 ? {} : { cause: asError(cause, causes - 1) };
  return Object.assign(new Error(message, told), { name, stack: readableStack(String(stack ?? '')) });
}
