import type { AttemptResult } from '../../platform/egress/attempt-result.ts';
import { BoundedMap } from '../../platform/runtime/bounded-map.ts';
import { type Clock, minutes } from '../../platform/runtime/clock.ts';
import { jittered, type Random } from '../../platform/runtime/random.ts';

const rules = {
  /** An endpoint is slow if it takes ten times the usual time. A batch takes as long as its slowest attempt. */
  slowMs: 2_000,
  /** A single slow response does not make an endpoint slow. */
  attemptsKept: 4,
  /** After this time the fast lane tries the endpoint again: a batch is 15 s late then, a twentieth of this time. */
  slowForMs: minutes(5),
} as const;

/** The response times of endpoints, kept in memory only: a new instance learns them within one batch. */
export function responseTimes({ clock, random }: { clock: Clock; random: Random }) {
  const known = new BoundedMap<string, { recentMs: number[]; slowUntil: number }>();
  return {
    /** Whether an attempt would delay its batch. */
    isSlow: (endpointId: string): boolean => clock.now() < (known.get(endpointId)?.slowUntil ?? 0),

    learn: (endpointId: string, result: AttemptResult): void => {
      const { recentMs = [], slowUntil = 0 } = known.get(endpointId) ?? {};
      // A fast response of a slow endpoint replaces what was known.
      const earlier = slowUntil > 0 && result.durationMs <= rules.slowMs ? [] : recentMs;
      const recent = [...earlier, result.durationMs].slice(-rules.attemptsKept);
      const meanMs = recent.reduce((sum, ms) => sum + ms, 0) / recent.length;
      const isSlow = meanMs > rules.slowMs || (!result.ok && result.error === 'timeout');
      const until = isSlow ? clock.now() + jittered(rules.slowForMs, random) : 0;
      known.set(endpointId, { recentMs: recent, slowUntil: until });
    },
  };
}
