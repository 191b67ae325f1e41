import { isDeepStrictEqual } from 'node:util';
import { type Caller, NoResponse, type Reply, request } from './client.ts';

/** Takes the checks of the acts, and prints them or the story. */
export type Reporter = ReturnType<typeof reporter>;

type ReporterOptions = {
  readonly print: (line: string) => void;
  /** If true, prints the story; otherwise each check. Both come with their times. */
  readonly narrate: boolean;
  /** Advice that follows the error if the first request is refused (403). */
  readonly adviceIfRefused?: string;
};

/** A check that failed. The message has the expected and the actual value. */
class CheckFailed extends Error {
  override name = 'CheckFailed';
}

/** Cuts off long texts, such as the error page of a proxy. */
const maxSentence = 800;

export function reporter({ print, narrate, adviceIfRefused = '' }: ReporterOptions) {
  const startedAt = performance.now();
  let stepAt = startedAt;
  let passed = 0;
  let failed = 0;
  let lastRequest = '';
  let lastStatus = 0;

  const printStep = (outcome: string, text: string) => {
    const now = performance.now();
    print(`  ${outcome.padEnd(narrate ? 12 : 6)} ${`${Math.round(now - stepAt)} ms`.padStart(8)}  ${text}`);
    stepAt = now;
  };
  const check = (what: string, actual: unknown, expected: unknown): void => {
    if (!isDeepStrictEqual(actual, expected)) {
      const sentence = `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`;
      throw new CheckFailed(`${sentence.slice(0, maxSentence)}${lastRequest}`);
    }
    passed += 1;
    if (!narrate) printStep('ok', what);
  };
  async function checkReply<Body>(what: string, reply: Reply | Promise<Reply>, expected = 200) {
    const { status, body } = await reply;
    // If the status differs, the body says why.
    check(what, status === expected ? status : [status, body], expected);
    return body as Body;
  }

  return {
    act: (title: string): void => print(`\n${title}`),
    tell: (actor: string, line: string): void => {
      if (narrate) printStep(actor, line);
    },
    /** Throws if the values differ, which ends the act. */
    check,
    /** Checks the status of a reply and returns its body. */
    checkReply,
    /** Sends a request, checks that it succeeds, and returns the body. */
    send: <Body>(what: string, caller: Caller, route: string, content?: unknown): Promise<Body> =>
      checkReply<Body>(what, request(caller, route, content)),
    /** Remembers the last request, which a failed check then names. */
    onReply: (route: string, { status, headers }: Reply): void => {
      lastStatus = status;
      lastRequest = ` (${route}, request id ${headers.get('apigw-requestid') ?? 'missing'})`;
    },
    /** Plays acts until a check fails, which it prints. */
    attempt: async (acts: () => Promise<void>): Promise<void> => {
      try {
        await acts();
      } catch (error) {
        const refused = passed + failed === 0 && lastStatus === 403;
        failed += 1;
        printStep('FAILED', `${sentenceOf(error, lastRequest)}${refused ? adviceIfRefused : ''}`);
      }
    },
    /** Prints the outcome and returns the exit code. */
    end: (): 0 | 1 => {
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      const outcome = failed === 0 ? 'all passed' : `${passed} passed, then it failed`;
      print(`\n${passed + failed} steps in ${seconds} s: ${outcome}.`);
      return failed === 0 ? 0 : 1;
    },
  };
}

function sentenceOf(error: unknown, lastRequest: string): string {
  if (error instanceof CheckFailed || error instanceof NoResponse) return error.message;
  // Acts read replies as they are documented, so another shape is a TypeError.
  if (error instanceof TypeError)
    return `the reply has another shape than documented: ${error.message}${lastRequest}`;
  return error instanceof Error ? error.message : String(error);
}
