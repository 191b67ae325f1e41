import type { AttemptResult } from '../../platform/egress/attempt-result.ts';
import { type Clock, minutes } from '../../platform/runtime/clock.ts';
import { jittered, type Random } from '../../platform/runtime/random.ts';

const speedRules = {
  /** An endpoint is slow if it takes ten times the usual time. A batch takes as long as its slowest attempt. */
  slowMs: 2_000,
  /** A single slow response does not make an endpoint slow. */
  attemptsKept: 4,
  /** After this time each instance makes one trial in the fast lane: 15 s, a twentieth of its time. */
  slowForMs: minutes(5),
} as const;

const maxEndpoints = 1_000;

type Known = { recentMs: number[]; trialAt?: number };

/** The response times of endpoints, kept in memory only: a new instance learns them within one batch. */
export function endpointSpeed({ clock, random }: { clock: Clock; random: Random }) {
  const known = new Map<string, Known>();

  const nextTrial = (): number => clock.now() + jittered(speedRules.slowForMs, random);

  return {
    /** Whether an attempt would delay its batch. False for the trial that a slow endpoint gets from time to time. */
    isSlow: (partnerId: string): boolean => {
      const endpoint = known.get(partnerId);
      if (endpoint?.trialAt === undefined) return false;
      if (clock.now() < endpoint.trialAt) return true;
      endpoint.trialAt = nextTrial();
      return false;
    },

    /** Whether the endpoint is slow and its trial is not due, so that the fast lane makes no attempt now. */
    isKnownSlow: (partnerId: string): boolean => clock.now() < (known.get(partnerId)?.trialAt ?? 0),

    learn: (partnerId: string, result: AttemptResult): void => {
      if (known.size >= maxEndpoints && !known.has(partnerId)) known.clear();
      const { recentMs = [], trialAt } = known.get(partnerId) ?? {};
      const timedOut = !result.ok && result.error === 'timeout';
      // A fast trial replaces what was known before.
      const earlier = trialAt !== undefined && result.durationMs <= speedRules.slowMs ? [] : recentMs;
      const recent = [...earlier, result.durationMs].slice(-speedRules.attemptsKept);
      const meanMs = recent.reduce((sum, ms) => sum + ms, 0) / recent.length;
      const slow = timedOut || meanMs > speedRules.slowMs;
      known.set(partnerId, slow ? { recentMs: recent, trialAt: nextTrial() } : { recentMs: recent });
    },
  };
}
