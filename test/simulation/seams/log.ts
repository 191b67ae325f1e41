import type { Fields, MetricValues } from '../../../shared/runtime/log.ts';
import { theRun } from '../core/current.ts';

/** What a log line would say goes into the timeline; metrics go nowhere. */
export function startWork(code: string, _first: Fields = {}) {
  const { log } = theRun();
  return {
    code,
    addFields: (_more: Fields): void => {},
    count: (_name: string): void => {},
    addSample: (_name: string, _value: number): void => {},
    addTo: (_whole: unknown): void => {},
    addMetrics: (_more: MetricValues): void => {},
    done: (outcome: string): void => log.add(`${code}: ${outcome}`),
    failed: (error: unknown): void => log.add(`${code}: ${error}`),
  };
}
