import { type Clock, minutes } from '../runtime/clock.ts';
import type { AttemptResult } from './attempt.ts';
import { type Chance, jittered } from './chance.ts';

const speedRules = {
  /** A batch lasts as long as its slowest attempt: ten times what partners usually take. */
  slowMs: 2_000,
  /** One slow answer among quick ones makes no slow endpoint. */
  attemptsKept: 4,
  /** After it one attempt is tried in the fast lane. Each instance does so: at 15 s, a twentieth of its time. */
  slowForMs: minutes(5),
} as const;

const maxEndpoints = 1_000;

type Known = { recentMs: number[]; trialAt?: number };

/**
 * What this instance knows of how long endpoints take to answer, in memory alone: an instance that knows nothing
 * yet learns it by one batch.
 */
export function endpointSpeed({ clock, chance }: { clock: Clock; chance: Chance }) {
  const known = new Map<string, Known>();

  const nextTrial = (): number => clock.now() + jittered(speedRules.slowForMs, chance);

  return {
    /**
     * Whether an attempt would hold up its batch. Now and then the answer is no for a slow endpoint: that attempt
     * tries whether it is still slow, and the others are not let through meanwhile.
     */
    isSlow: (partnerId: string): boolean => {
      const endpoint = known.get(partnerId);
      if (endpoint?.trialAt === undefined) return false;
      if (clock.now() < endpoint.trialAt) return true;
      endpoint.trialAt = nextTrial();
      return false;
    },

    learn: (partnerId: string, result: AttemptResult): void => {
      if (known.size >= maxEndpoints && !known.has(partnerId)) known.clear();
      const { recentMs = [], trialAt } = known.get(partnerId) ?? {};
      const timedOut = !result.ok && result.error === 'timeout';
      // A trial that went well wipes out what was known before it.
      const earlier = trialAt !== undefined && result.durationMs <= speedRules.slowMs ? [] : recentMs;
      const recent = [...earlier, result.durationMs].slice(-speedRules.attemptsKept);
      const meanMs = recent.reduce((sum, ms) => sum + ms, 0) / recent.length;
      const slow = timedOut || meanMs > speedRules.slowMs;
      known.set(partnerId, slow ? { recentMs: recent, trialAt: nextTrial() } : { recentMs: recent });
    },
  };
}

export type EndpointSpeed = ReturnType<typeof endpointSpeed>;
