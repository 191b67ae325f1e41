import { AsyncLocalStorage } from 'node:async_hooks';
import type { FaultKind } from './faults.ts';
import type { RunParts } from './run-parts.ts';

/** One run of a function, or of someone who calls the table and the queues for a while. */
export interface Invocation {
  readonly name: string;
  /** How far the clock of its instance is off. */
  readonly skewMs: number;
  /** A killed function makes no further call; the calls under way reach their destination. */
  readonly isDead: () => boolean;
  readonly kill: (why: string) => void;
  /** Nothing goes wrong with its calls. */
  readonly isSafe?: boolean;
}

export const invocations = new AsyncLocalStorage<Invocation>();

export type Throttling = 'table' | 'queues';

interface Call<Answer> {
  readonly what: string;
  readonly make: () => Answer | Promise<Answer>;
  /** Who takes the call, and what the caller gets when they take none for the moment. */
  readonly to?: Throttling;
  readonly throttled?: () => Error;
  /** Such a call may be made long after its caller has given it up. */
  readonly mayBeVeryLate?: boolean;
}

export class AnswerLost extends Error {
  override name = 'TimeoutError';
}

/** Makes the calls of functions, each at a moment of its own, with what may go wrong on the way. */
export function createCalls({ time, rng, faults, log }: RunParts, refusing: ReadonlySet<Throttling>) {
  /** Calls mostly take milliseconds; one in fifty takes up to a second. */
  const latencyMs = () => (rng.happens(0.02) ? rng.between(50, 1_000) : rng.between(1, 12));

  return async <Answer>({ what, make, to, throttled, mayBeVeryLate }: Call<Answer>): Promise<Answer> => {
    const invocation = invocations.getStore();
    if (!invocation) return make();
    const fate = (text: string) => log.add(`${invocation.name}: ${what}: ${text}`);
    const happens = (kind: FaultKind) => !invocation.isSafe && faults.happens(kind);
    const never = new Promise<never>(() => {});
    const kill = (text: string): Promise<never> => {
      fate(text);
      invocation.kill('killed');
      return never;
    };
    if (invocation.isDead()) return never;
    if (happens('killBeforeCall')) return kill('killed before it');
    const isLost = happens('answerLost');
    const isVeryLate = mayBeVeryLate && happens('keptLate');
    const isLate = happens('callLate') || isVeryLate;
    const isRepeated = happens('callRepeated');
    const isKilled = happens('killAfterCall');
    const isThrottled = throttled && happens('throttled');
    const attempt = async () => Promise.allSettled([make()]);
    if (isLate) {
      fate('given up, and made later');
      const givenUp = time.sleep(latencyMs());
      time.after(isVeryLate ? rng.between(30_000, 90_000) : rng.between(1_000, 20_000), attempt);
      await givenUp;
      throw new AnswerLost('no answer in time');
    }
    const answer = time.later(latencyMs(), async () => {
      const isRefused = to && refusing.has(to) && !invocation.isSafe;
      if (throttled && (isThrottled || isRefused)) {
        fate('throttled');
        throw throttled();
      }
      log.add(`${invocation.name}: ${what}`);
      if (isRepeated) {
        await attempt();
        fate('made again');
      }
      if (!isLost) return make();
      await attempt();
      fate('its answer is lost');
      throw new AnswerLost('no answer in time');
    });
    await answer.catch(() => {});
    await time.sleep(latencyMs());
    if (invocation.isDead()) return never;
    return isKilled ? kill('killed after it') : answer;
  };
}

export type Calls = ReturnType<typeof createCalls>;
