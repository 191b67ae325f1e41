import { isDeepStrictEqual } from 'node:util';
import { NoResponse, type Reply } from './client.ts';

/** What the acts of the scenario report to. */
export interface Reporter {
  act(title: string): void;
  /** A line of the story. */
  tell(actor: string, line: string): void;
  /** A line of the summary. */
  sum(what: string, figure: string): void;
  /** Ends the act when the values differ. */
  check(what: string, actual: unknown, expected: unknown): void;
  /** Checks the status of a reply and returns its body. */
  checkReply<Body>(what: string, reply: Reply | Promise<Reply>, status?: number): Promise<Body>;
  /** Remembers the last request, which a failed check then names. */
  onReply(route: string, reply: Reply): void;
  /** Plays acts until a check fails, which it prints. */
  attempt(acts: () => Promise<void>): Promise<void>;
  /** Prints the outcome and returns the exit code. */
  end(): 0 | 1;
}

interface ReporterOptions {
  readonly print: (line: string) => void;
  /** Tells the story, with its summary; otherwise prints each check with its time. */
  readonly narrate: boolean;
  /** What to do when the very first request is refused (403). */
  readonly adviceIfRefused?: string;
}

/** Its message says what was expected and what came. */
class CheckFailed extends Error {
  override name = 'CheckFailed';
}

/** A proxy's error page can be long. */
const maxSentence = 800;

export function reporter({ print, narrate, adviceIfRefused = '' }: ReporterOptions): Reporter {
  const startedAt = performance.now();
  const summary: [string, string][] = [];
  let stepAt = startedAt;
  let passed = 0;
  let failed = 0;
  let lastRequest = '';
  let lastStatus = 0;

  const printStep = (outcome: string, text: string) => {
    const now = performance.now();
    print(`  ${outcome.padEnd(6)} ${`${Math.round(now - stepAt)} ms`.padStart(8)}  ${text}`);
    stepAt = now;
  };
  const check = (what: string, actual: unknown, expected: unknown) => {
    if (!isDeepStrictEqual(actual, expected)) {
      const sentence = `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`;
      throw new CheckFailed(`${sentence.slice(0, maxSentence)}${lastRequest}`);
    }
    passed += 1;
    if (!narrate) printStep('ok', what);
  };

  return {
    act: (title) => print(`\n${title}`),
    tell: (actor, line) => {
      if (narrate) print(`  ${actor.padEnd(12)} ${line}`);
    },
    sum: (what, figure) => summary.push([what, figure]),
    check,
    checkReply: async <Body>(what: string, reply: Reply | Promise<Reply>, expected = 200) => {
      const { status, body } = await reply;
      // The body of a reply with another status says why.
      check(what, status === expected ? status : [status, body], expected);
      return body as Body;
    },
    onReply: (route, { status, headers }) => {
      lastStatus = status;
      lastRequest = ` (${route}, request id ${headers.get('apigw-requestid') ?? 'missing'})`;
    },
    attempt: async (acts) => {
      try {
        await acts();
      } catch (error) {
        const refused = passed + failed === 0 && lastStatus === 403;
        failed += 1;
        printStep('FAILED', `${sentenceOf(error, lastRequest)}${refused ? adviceIfRefused : ''}`);
      }
    },
    end: () => {
      if (narrate) printSummary(print, summary);
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      const outcome = failed === 0 ? 'all passed' : `${passed} passed, then it failed`;
      print(`\n${passed + failed} steps in ${seconds} s: ${outcome}.`);
      return failed === 0 ? 0 : 1;
    },
  };
}

function printSummary(print: (line: string) => void, summary: readonly [string, string][]): void {
  const width = Math.max(...summary.map(([what]) => what.length));
  print('\nSummary');
  for (const [what, figure] of summary) print(`  ${what.padEnd(width)}  ${figure}`);
}

function sentenceOf(error: unknown, lastRequest: string): string {
  if (error instanceof CheckFailed || error instanceof NoResponse) return error.message;
  // Acts read replies as they are documented.
  if (error instanceof TypeError)
    return `the reply has another shape than documented: ${error.message}${lastRequest}`;
  return error instanceof Error ? error.message : String(error);
}
