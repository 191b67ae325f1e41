import { AsyncLocalStorage } from 'node:async_hooks';
import type { FaultKind } from './faults.ts';
import type { Rng } from './rng.ts';
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

/** Which invocation the running code belongs to. */
export const invocations = new AsyncLocalStorage<Invocation>();

interface CallParts extends RunParts {
  /** Those who take no call at all for a while. */
  readonly refusing: ReadonlySet<Throttling>;
}

export type Throttling = 'table' | 'queues';

export interface CallKind<Answer> {
  readonly what: string;
  /** Makes the call: changes the table or the queue. */
  readonly make: () => Answer | Promise<Answer>;
  /** Who takes the call, and what the caller gets when they take none for the moment. */
  readonly to?: Throttling;
  readonly throttled?: () => Error;
}

export class AnswerLost extends Error {
  override name = 'TimeoutError';
}

function never<Answer>(): Promise<Answer> {
  return new Promise(() => {});
}

/** Calls mostly take milliseconds; one in fifty takes up to a second. */
function latencyMs(rng: Rng): number {
  return rng.happens(0.02) ? rng.between(50, 1_000) : rng.between(1, 12);
}

const longestDelayMs = 20_000;

/** Makes the calls of functions, each at a moment of its own, with what may go wrong on the way. */
export function createCalls({ time, rng, faults, log, refusing }: CallParts) {
  return async <Answer>(call: CallKind<Answer>): Promise<Answer> => {
    const attempt = async () => {
      const [answer] = await Promise.allSettled([(async () => call.make())()]);
      return answer;
    };
    const invocation = invocations.getStore();
    if (!invocation) return call.make();
    const fate = (text: string) => log.add(`${invocation.name}: ${call.what}: ${text}`);
    if (invocation.isDead()) return never();
    const happens = (kind: FaultKind): boolean => !invocation.isSafe && faults.happens(kind);
    if (happens('killBeforeCall')) {
      fate('killed before it');
      invocation.kill('killed');
      return never();
    }
    const lost = happens('answerLost');
    const late = happens('callLate');
    const repeated = happens('callRepeated');
    const killed = happens('killAfterCall');
    const throttled = call.throttled && happens('throttled');
    return new Promise((resolve, reject) => {
      const answered = (answer: PromiseSettledResult<Answer>) => {
        if (invocation.isDead()) return;
        if (killed) {
          fate('killed after it');
          invocation.kill('killed');
        } else if (answer.status === 'fulfilled') resolve(answer.value);
        else reject(answer.reason);
      };
      if (late) {
        fate('given up, and made later');
        time.after(latencyMs(rng), () => reject(new AnswerLost('no answer in time')));
        time.after(rng.between(1_000, longestDelayMs), async () => void (await attempt()));
        return;
      }
      time.after(latencyMs(rng), async () => {
        const refused = call.to && refusing.has(call.to) && !invocation.isSafe;
        if (call.throttled && (throttled || refused)) {
          fate('throttled');
          const error = call.throttled();
          return void time.after(latencyMs(rng), () => reject(error));
        }
        log.add(`${invocation.name}: ${call.what}`);
        let answer = await attempt();
        if (repeated) {
          fate('made again');
          answer = await attempt();
        }
        if (lost) {
          fate('its answer is lost');
          return void time.after(latencyMs(rng), () => reject(new AnswerLost('no answer in time')));
        }
        time.after(latencyMs(rng), () => answered(answer));
      });
    });
  };
}

export type Calls = ReturnType<typeof createCalls>;
