import { isDeepStrictEqual } from 'node:util';
import type { Reply } from './client.ts';

/** What an act tells, to whoever listens: the story of the demo, the steps of a smoke test. */
export interface Narrator {
  act(title: string): void;
  tell(actor: string, line: string): void;
  /** A line of the summary. */
  sum(what: string, figure: string): void;
  expect(what: string, actual: unknown, expected: unknown): void;
}

/** Expects a status. The body of an answer with another one says why, so it is told too. */
export function expectStatus(say: Narrator, what: string, { status, body }: Reply, expected = 200): void {
  say.expect(what, status === expected ? status : [status, body], expected);
}

/** What differs, as a sentence; nothing when it is as expected. */
export function surpriseOf(what: string, actual: unknown, expected: unknown): string | undefined {
  return isDeepStrictEqual(actual, expected)
    ? undefined
    : `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`;
}

/** Tells the story line by line and remembers what did not come out as it should. */
export function narrator(print: (line: string) => void = console.log): Narrator & { end: () => number } {
  const surprises: string[] = [];
  const rows: [string, string][] = [];
  return {
    act: (title) => print(`\n${title}`),
    tell: (actor, line) => print(`  ${actor.padEnd(12)} ${line}`),
    sum: (what, figure) => rows.push([what, figure]),
    // The story goes on after a surprise, but the demo ends as failed.
    expect: (what, actual, expected) => {
      const unexpectedFailure = surpriseOf(what, actual, expected);
      if (unexpectedFailure === undefined) return;
      surprises.push(unexpectedFailure);
      print(`  SURPRISE     ${unexpectedFailure}`);
    },
    end: () => {
      print('\nSummary');
      const width = Math.max(...rows.map(([what]) => what.length));
      for (const [what, figure] of rows) print(`  ${what.padEnd(width)}  ${figure}`);
      print(
        surprises.length === 0 ? '\nEverything came out as it should.' : `\n${surprises.length} surprises.`,
      );
      return surprises.length === 0 ? 0 : 1;
    },
  };
}
