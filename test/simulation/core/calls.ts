import { AsyncLocalStorage } from 'node:async_hooks';
import type { FaultKind } from './faults.ts';
import { physics } from './physics.ts';
import type { RunParts } from './run-parts.ts';

/** One run of a function, or of someone who calls the table and the queues for a while. */
export interface Invocation {
  readonly name: string;
  /** Whose role its calls need; left out: an operator's. */
  readonly functionName?: string;
  /** What the SDK of its instance has left for retries. */
  readonly sdk?: { tokens: number };
  /** How far the clock of its instance is off. */
  readonly skewMs: number;
  /** A killed function makes no further call; the calls under way reach their destination. */
  readonly isDead: () => boolean;
  readonly kill: (why: string) => void;
  /** Nothing goes wrong with its calls. */
  readonly isSafe?: boolean;
}

export const invocations = new AsyncLocalStorage<Invocation>();

/** A call that its function has given up is made within this time, or never. */
export const latestCallMs = 20_000;

export type Throttling = 'table' | 'queues';

interface Call<Answer> {
  readonly what: string;
  readonly make: () => Answer | Promise<Answer>;
  /** Who takes the call, whether they refuse it, and what the caller gets when they do. */
  readonly to?: Throttling;
  readonly isRefused?: boolean;
  readonly throttled?: () => Error;
  /** The fault by which such a call is often made after its caller has given it up. */
  readonly oftenLate?: 'keptLate' | 'listLate' | 'sendLate' | undefined;
  /** Its caller often ends after it: the message is sent, and nothing of what follows is done. */
  readonly isOftenLast?: boolean;
}

export class AnswerLost extends Error {
  override name = 'TimeoutError';
}

/** Makes the calls of functions, each at a moment of its own, with what may go wrong on the way. */
export function createCalls({ time, rng, faults, log }: RunParts, refusing: ReadonlySet<Throttling>) {
  /** The way there, or back. */
  const latencyMs = (): number => {
    const chance = rng.random();
    const { from, to } = physics.callMs.find(({ upTo }) => chance < upTo) ?? physics.callMs[0];
    return rng.between(from, to) / 2;
  };

  return async <Answer>(asked: Call<Answer>): Promise<Answer> => {
    const { what, make, to, isRefused, throttled, oftenLate, isOftenLast } = asked;
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
    const late = oftenLate && happens(oftenLate) ? oftenLate : happens('callLate') && 'callLate';
    const isRepeated = happens('callRepeated');
    const isKilled = happens('killAfterCall') || (isOftenLast && happens('killAfterList'));
    const slowMs = happens('callSlow') ? rng.between(50, 1_000) : 0;
    const attempt = async () => Promise.allSettled([make()]);
    if (late) {
      fate('given up, and made later');
      const givenUp = time.sleep(latencyMs());
      time.after(
        late === 'keptLate' ? rng.between(30_000, 90_000) : rng.between(1_000, latestCallMs),
        attempt,
      );
      await givenUp;
      throw new AnswerLost('no answer in time');
    }
    const answer = time.later(latencyMs() + slowMs, async () => {
      const takesNone = to && refusing.has(to) && !invocation.isSafe;
      if (throttled && (isRefused || takesNone)) {
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
    await time.sleep(latencyMs() + slowMs);
    if (invocation.isDead()) return never;
    return isKilled ? kill('killed after it') : answer;
  };
}

export type Calls = ReturnType<typeof createCalls>;
