import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { type MetricName, metricNamespace, metricUnits, sharedMetrics } from './metric-names.ts';
import { readableStack } from './readable-stack.ts';

/** The service name comes from POWERTOOLS_SERVICE_NAME. */
export const logger = new Logger();

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
  const samples: Sample[] = [];
  const addMetrics = (more: MetricValues): void => {
    for (const [name, value] of metricEntries(more)) values[name] = (values[name] ?? 0) + value;
  };
  const addSample = (name: MetricName, value: number): void => {
    samples.push([name, value]);
  };
  const line = (more: Fields) => ({
    ...fields,
    ...more,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
    ...embedded(code, [...metricEntries(values), ...samples]),
  });
  return {
    code,
    addFields: (more: Fields): void => {
      Object.assign(fields, more);
    },
    /** Adds to a field that counts. */
    count: (name: string, more = 1): void => {
      fields[name] = Number(fields[name] ?? 0) + more;
    },
    /** Adds to the values given before. */
    addMetrics,
    /** Adds one of several values of a metric, of which a unit of work has 99 at most. */
    addSample,
    /** Adds the metrics to those of another unit of work, whose line says enough about this one. */
    addTo: (whole: { addMetrics: typeof addMetrics; addSample: typeof addSample }): void => {
      whole.addMetrics(values);
      for (const sample of samples) whole.addSample(...sample);
    },
    done: (outcome: string, more: Fields = {}): void => logger.info(code, line({ outcome, ...more })),
    failed: (error: unknown, more: Fields = {}): void => {
      values.Failed = 1;
      // As in the gateway's access log, because one rule counts the partners in both: `-` is nobody in particular.
      const partnerId = fields['partnerId'] ?? more['partnerId'] ?? fields['callerId'] ?? '-';
      const outcome = { outcome: 'failed', status: '500', ...more, partnerId };
      logger.error(code, { ...line(outcome), error: asError(error) });
    },
  };
}

export type Work = ReturnType<typeof startWork>;
type Sample = [name: MetricName, value: number];

/** All units of work share the collector: it is empty again before anything else can run. */
function embedded(code: string, entries: readonly Sample[]): Fields {
  if (entries.length === 0) return {};
  metrics.addDimension('function', code);
  for (const [name, value] of entries) metrics.addMetric(name, metricUnits[name], value);
  // The logger adds the service to every line.
  const { service: _named, ...line } = metrics.serializeMetrics();
  metrics.clearMetrics();
  metrics.clearDimensions();
  const directives = line._aws.CloudWatchMetrics.flatMap((directive) => [directive, ...ofStage(directive)]);
  return { ...line, _aws: { ...line._aws, CloudWatchMetrics: directives } };
}

type Directive = ReturnType<typeof metrics.serializeMetrics>['_aws']['CloudWatchMetrics'][number];

/** Shared metrics are counted a second time, without the function. */
function ofStage(directive: Directive): Directive[] {
  const shared = directive.Metrics.filter(({ Name }) => sharedMetrics.some((name) => name === Name));
  return shared.length > 0 ? [{ ...directive, Dimensions: [['service']], Metrics: shared }] : [];
}

function metricEntries(values: MetricValues) {
  return Object.entries(values) as [MetricName, number][];
}

/** How many nested causes a line shows. A library may make them circular. */
const maxCauses = 5;

/**
 * Removes the extra members of libraries' errors: the logger would print them, and those of the SDK may contain a
 * whole row.
 */
function asError(error: unknown, causes = maxCauses): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { name, message, stack, cause } = error;
  const withCause = cause === undefined || causes === 0 ? {} : { cause: asError(cause, causes - 1) };
  return Object.assign(new Error(message, withCause), { name, stack: readableStack(String(stack ?? '')) });
}
