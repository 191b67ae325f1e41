import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { LineFormatter } from './line-formatter.ts';
import { type MetricName, metricNamespace, metricUnits } from './metric-names.ts';
import { readableStack } from './readable-stack.ts';

/** Service name and level come from POWERTOOLS_SERVICE_NAME and POWERTOOLS_LOG_LEVEL. */
export const logger = new Logger({ logFormatter: new LineFormatter() });

const metrics = new Metrics({ namespace: metricNamespace });

export type Fields = Record<string, unknown>;
export type MetricValues = Partial<Record<MetricName, number>>;

/**
 * Collects the fields of one unit of work and writes them in one wide line: `code` is stable (dashboards and
 * runbooks search for it), `durationMs` is wall time. Never pass a secret, a body or a full phone number. Metrics
 * are in the same line (CloudWatch's embedded metric format), under the function `code`.
 */
export function startWork(code: string, first: Fields = {}) {
  const startedAt = performance.now();
  const fields: Fields = { code, ...first };
  const values: MetricValues = {};
  const line = (more: Fields) => ({
    ...fields,
    ...more,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
    ...embedded(code, values),
  });
  return {
    addFields: (more: Fields) => {
      Object.assign(fields, more);
    },
    /** Adds one to a field that counts. */
    count: (name: string) => {
      fields[name] = Number(fields[name] ?? 0) + 1;
    },
    /** Adds to the values given before. */
    addMetrics: (more: MetricValues) => {
      for (const [name, value] of entriesOf(more)) values[name] = (values[name] ?? 0) + value;
    },
    done: (outcome: string, more: Fields = {}) => logger.info(code, line({ outcome, ...more })),
    failed: (error: unknown, more: Fields = {}) => {
      values.Failed = 1;
      logger.error(code, { ...line({ outcome: 'failed', ...more }), error: asError(error) });
    },
  };
}

export type Work = ReturnType<typeof startWork>;

/** All units of work share the collector: it is empty again before anything else can run. */
function embedded(code: string, values: MetricValues): Fields {
  const entries = entriesOf(values);
  if (entries.length === 0) return {};
  metrics.addDimension('function', code);
  for (const [name, value] of entries) metrics.addMetric(name, metricUnits[name], value);
  // The logger adds the service to every line.
  const { service: _named, ...line } = metrics.serializeMetrics();
  metrics.clearMetrics();
  metrics.clearDimensions();
  return line;
}

function entriesOf(values: MetricValues) {
  return Object.entries(values) as [MetricName, number][];
}

/** How many nested causes a line shows. A library may make them circular. */
const maxCauses = 5;

/**
 * Without the extra members of libraries' errors: the logger would print them, and those of the SDK may contain a
 * whole row.
 */
function asError(error: unknown, causes = maxCauses): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { name, message, stack, cause } = error;
  const withCause = cause === undefined || causes === 0 ? {} : { cause: asError(cause, causes - 1) };
  return Object.assign(new Error(message, withCause), { name, stack: readableStack(String(stack ?? '')) });
}
