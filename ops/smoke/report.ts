import { NoResponse, type Reply } from '../scenario/client.ts';
import { type Narrator, surpriseOf } from '../scenario/narrator.ts';

/** A step did not come out as it should. Its message says what was expected and what came. */
class StepFailed extends Error {
  override name = 'StepFailed';
}

export interface Report extends Narrator {
  heard(route: string, reply: Reply): void;
  /** Runs steps until one fails, which it prints. */
  attempt(steps: () => Promise<void>): Promise<void>;
  /** Prints the outcome and gives the exit code. */
  end(): 0 | 1;
}

/** An error page of somebody's proxy can be long. */
const maxSentence = 800;

/** Prints each step with its time, and what went wrong in a sentence that names the request. */
export function smokeReport(print: (line: string) => void): Report {
  const startedAt = performance.now();
  let stepAt = startedAt;
  let passed = 0;
  let failed = 0;
  let last = '';
  let lastStatus = 0;
  const line = (mark: string, text: string) => {
    const now = performance.now();
    print(`  ${mark.padEnd(6)} ${`${Math.round(now - stepAt)} ms`.padStart(8)}  ${text}`);
    stepAt = now;
  };
  return {
    act: (title) => print(`\n${title}`),
    tell: () => {},
    sum: () => {},
    heard: (route, { status, headers }) => {
      lastStatus = status;
      last = ` (${route}, request id ${headers.get('apigw-requestid') ?? 'missing'})`;
    },
    expect: (what, actual, expected) => {
      const unexpectedFailure = surpriseOf(what, actual, expected);
      if (unexpectedFailure !== undefined)
        throw new StepFailed(`${unexpectedFailure.slice(0, maxSentence)}${last}`);
      passed += 1;
      line('ok', what);
    },
    attempt: async (steps) => {
      try {
        await steps();
      } catch (error) {
        // Nothing was let in yet: it is who asks, not what is asked.
        const refused = passed + failed === 0 && lastStatus === 403;
        failed += 1;
        line('FAILED', `${sentenceOf(error, last)}${refused ? ': check SMOKE_LOGIN and SMOKE_SECRET' : ''}`);
      }
    },
    end: () => {
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      const outcome = failed === 0 ? 'all passed' : `${passed} passed, then it failed`;
      print(`\n${passed + failed} steps in ${seconds} s: ${outcome}.`);
      return failed === 0 ? 0 : 1;
    },
  };
}

function sentenceOf(error: unknown, last: string): string {
  if (error instanceof StepFailed || error instanceof NoResponse) return error.message;
  // An act reads answers as documented: one of another shape makes it stumble.
  if (error instanceof TypeError)
    return `the answer has another shape than documented: ${error.message}${last}`;
  return error instanceof Error ? error.message : String(error);
}
