/** The result of a load. `docs/performance.md` describes each load and the latencies that it measures. */
export interface Forecast {
  readonly name: LoadName;
  readonly finishedSeconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly throttled: number;
  readonly failed: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly functionsAtOnce: number;
}

type Target = Partial<Pick<Forecast, 'finishedSeconds' | 'p99Ms'>>;

/** The longest loads come first, so that two processes share them evenly. `failed` must be 0 for each. */
const targets = {
  'dead-endpoint-hour': {},
  'paced-endpoint': { finishedSeconds: 420, p99Ms: 5_000 },
  'list-100000-new': { finishedSeconds: 130 },
  'bulk-10000': { finishedSeconds: 30 },
  'open-console': {},
  'check-ins': { p99Ms: 1_000 },
  'list-10000-1-percent': { finishedSeconds: 10 },
  'list-10000-unchanged': { finishedSeconds: 10 },
  'list-10000-new': { finishedSeconds: 15 },
} satisfies Record<string, Target>;

export type LoadName = keyof typeof targets;
export const loadNames = Object.keys(targets) as LoadName[];

/** Returns a sentence for each target that the load misses. */
export function missed(forecast: Forecast): string[] {
  const { name, failed } = forecast;
  const target: Target = targets[name];
  const over = (['finishedSeconds', 'p99Ms'] as const).flatMap((of) => {
    const most = target[of] ?? Number.POSITIVE_INFINITY;
    return forecast[of] > most ? [`${name}: ${of} is ${forecast[of]}, its target ${most}`] : [];
  });
  return failed > 0 ? [...over, `${name}: ${failed} failed`] : over;
}
