import { readdirSync, readFileSync } from 'node:fs';

type Properties = {
  MetricName?: string;
  Dimensions?: readonly { Name: string; Value: { Ref?: string } }[];
  Threshold: number;
  Period: number;
  EvaluationPeriods: number;
  TreatMissingData: string;
};

/** An alarm on the age of the records that a function reads from the stream. */
export type ReaderAlarm = {
  id: string;
  functionId: string;
  threshold: number;
  periodMs: number;
  periods: number;
  isBadWithoutData: boolean;
};

/** Reads the alarms on the readers of the stream from the templates in the folder. */
export function readReaderAlarms(folder: string): ReaderAlarm[] {
  const templates = readdirSync(folder).filter((name) => name.endsWith('.template.json'));
  return templates.flatMap((file) => {
    const { Resources } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
    const all = Object.entries<{ Properties: Properties }>(Resources);
    return all
      .filter(([, { Properties }]) => Properties?.MetricName === 'IteratorAge')
      .map(([id, { Properties }]) => ({
        id,
        functionId: String(Properties.Dimensions?.[0]?.Value.Ref),
        threshold: Properties.Threshold,
        periodMs: Properties.Period * 1_000,
        periods: Properties.EvaluationPeriods,
        isBadWithoutData: Properties.TreatMissingData === 'breaching',
      }));
  });
}

/**
 * CloudWatch looks at more periods than the alarm needs, and at its treatment of missing data only when these have less
 * data than the alarm needs. It does not say how many more; in its example two.
 * docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 */
const morePeriods = 2;

type Datapoint = { atMs: number; ms: number };

/** Returns the end of the first period after which the alarm goes off, or `undefined` if it does not. */
export function goesOffAt(
  { threshold, periodMs, periods, isBadWithoutData }: ReaderAlarm,
  data: readonly Datapoint[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): number | undefined {
  /** The greatest value of each period, `undefined` for one without data. */
  const maxima: (number | undefined)[] = [];
  for (let start = fromMs; start + periodMs <= toMs; start += periodMs) {
    const values = data.filter(({ atMs }) => atMs >= start && atMs < start + periodMs).map(({ ms }) => ms);
    maxima.push(values.length > 0 ? Math.max(...values) : undefined);
    const range = maxima.slice(-(periods + morePeriods));
    if (range.length < periods + morePeriods) continue;
    const real = range.filter((value) => value !== undefined).slice(-periods);
    const isFilled = real.length < periods;
    if ((isFilled && !isBadWithoutData) || real.some((value) => value < threshold)) continue;
    return start + periodMs;
  }
  return undefined;
}
