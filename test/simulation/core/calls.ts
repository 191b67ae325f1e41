import { AsyncLocalStorage } from 'node:async_hooks';
import type { FaultKind } from './faults.ts';
import { physics } from './physics.ts';
import type { Rng } from './rng.ts';
import type { RunParts } from './run-parts.ts';

/** One run of a function, or of an operator who calls the table and the queues. */
export type Invocation = {
  readonly name: string;
  /** The function whose role must allow the calls. It is missing for an operator, who needs no role. */
  readonly functionName?: string;
  /** The tokens for retries that the SDK of the instance has left. */
  readonly sdk?: { tokens: number };
  /** How far the clock of the instance is off, in milliseconds. */
  readonly skewMs: number;
  /** True once the function was killed: it makes no further call, but calls in progress reach their destination. */
  readonly isDead: () => boolean;
  readonly kill: (why: string) => void;
  /** How many of its calls have neither an answer nor an error yet. */
  underWay: number;
  /** True if its calls have no faults. */
  readonly isSafe?: boolean;
};

export const invocations = new AsyncLocalStorage<Invocation>();

/** Does something as an operator, whose calls have no faults. */
export function asOperator<Result>(work: () => Promise<Result>): Promise<Result> {
  const operator = {
    name: 'operator',
    skewMs: 0,
    isDead: () => false,
    kill: () => {},
    underWay: 0,
    isSafe: true,
  };
  return invocations.run(operator, work);
}

/**
 * Decides how long the calls of a request take, instead of the run's source of randomness. Two requests with equal
 * sources differ only by what else happens at the same time.
 */
export const ownLatencies = new AsyncLocalStorage<Rng>();

/** A call that its function has given up is made within this time, or never. Only `keptLate` makes one later. */
export const latestCallMs = 20_000;

export type Throttling = 'table' | 'queues';

type Call<Answer> = {
  readonly what: string;
  readonly make: () => Answer | Promise<Answer>;
  /** The service that takes the call, whether it refuses the call, and the error that the caller then gets. */
  readonly to?: Throttling;
  readonly isRefused?: boolean;
  readonly throttled?: () => Error;
  /** The fault that often delays this call until its caller has given it up. */
  readonly oftenLate?: 'keptLate' | 'listLate' | 'sendLate' | undefined;
  /** The fault that often makes this call take long. */
  readonly oftenSlow?: 'feedSlow' | undefined;
  /** True if its caller is often killed right after it, so that the message is sent but nothing after it is done. */
  readonly isOftenLast?: boolean;
};

export class AnswerLost extends Error {
  override name = 'TimeoutError';
}

/** Makes the calls of functions at random moments, with faults on their way. */
export function createCalls({ time, rng, faults, log }: RunParts, refusing: ReadonlySet<Throttling>) {
  /** Returns the time of one direction, which is half of a call. */
  const latencyMs = (): number => {
    const { random, between } = ownLatencies.getStore() ?? rng;
    const chance = random();
    const { from, to } = physics.callMs.find(({ upTo }) => chance < upTo) ?? physics.callMs[0];
    return between(from, to) / 2;
  };

  return async <Answer>(asked: Call<Answer>): Promise<Answer> => {
    const { what, make, to, isRefused, throttled, oftenLate, oftenSlow, isOftenLast } = asked;
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
    const isSlow = oftenSlow && happens(oftenSlow);
    const slowMs = isSlow
      ? rng.between(1_000, latestCallMs)
      : happens('callSlow')
        ? rng.between(50, 1_000)
        : 0;
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
      // The SDK has given up a try, which takes effect before the next one, or after it.
      if (isRepeated && rng.happens(1 / 2)) {
        await attempt();
        fate('made again');
      } else if (isRepeated) {
        time.after(rng.between(1_500, latestCallMs), attempt);
        fate('made again, the first try late');
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
