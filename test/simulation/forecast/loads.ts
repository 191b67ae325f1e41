/** The result of a load. `docs/performance.md` describes each load and the latencies that it measures. */
export type Forecast = {
  name: LoadName;
  finishedSeconds: number;
  p99Ms: number;
  failed: number;
  /** The p99 of those beside the load, divided by their p99 without it. */
  slowdown?: number;
};

type Target = Partial<Pick<Forecast, 'finishedSeconds' | 'p99Ms' | 'slowdown'>>;

/** The longest loads come first, so that two processes share them evenly. `failed` must be 0 for each. */
const targets = {
  'dead-endpoint-hour': { p99Ms: 5_000 },
  'scheduled-100000': { p99Ms: 20_000 },
  campaign: { finishedSeconds: 150, p99Ms: 5_000 },
  'noisy-neighbour': { slowdown: 1.2 },
  'paced-endpoint': { finishedSeconds: 420, p99Ms: 5_000 },
  'list-100000-new': { finishedSeconds: 130 },
  'feed-10000': { finishedSeconds: 60, p99Ms: 30_000 },
  'bulk-10000': { finishedSeconds: 30 },
  'check-ins': { p99Ms: 1_000 },
  'list-10000-1-percent': { finishedSeconds: 10 },
  'list-10000-unchanged': { finishedSeconds: 10 },
  'list-10000-new': { finishedSeconds: 15 },
} satisfies Record<string, Target>;

export type LoadName = keyof typeof targets;

export type LoadRequest = { load: LoadName };

export const loadNames = Object.keys(targets) as LoadName[];

/** Returns a sentence for each target that the load misses. */
export function missed(forecast: Forecast): string[] {
  const { name, failed } = forecast;
  const target: Target = targets[name];
  const over = (['finishedSeconds', 'p99Ms', 'slowdown'] as const).flatMap((of) => {
    const [is = 0, most = Number.POSITIVE_INFINITY] = [forecast[of], target[of]];
    return is > most ? [`${name}: ${of} is ${is}, its target ${most}`] : [];
  });
  return failed > 0 ? [...over, `${name}: ${failed} failed`] : over;
}
