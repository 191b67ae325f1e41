import { isDeepStrictEqual } from 'node:util';

/** Tells the story line by line and remembers what did not come out as it should. */
export const narrator = (print: (line: string) => void = console.log) => {
  const surprises: string[] = [];
  const rows: [string, string][] = [];
  return {
    act: (title: string) => print(`\n${title}`),
    tell: (actor: string, line: string) => print(`  ${actor.padEnd(12)} ${line}`),
    /** A line of the summary table. */
    sum: (what: string, figure: string) => rows.push([what, figure]),
    /** The story goes on after a surprise, but the demo ends as failed. */
    expect: (what: string, actual: unknown, expected: unknown) => {
      if (isDeepStrictEqual(actual, expected)) return;
      const surprise = `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`;
      surprises.push(surprise);
      print(`  SURPRISE     ${surprise}`);
    },
    end: (): number => {
      print('\nSummary');
      const width = Math.max(...rows.map(([what]) => what.length));
      for (const [what, figure] of rows) print(`  ${what.padEnd(width)}  ${figure}`);
      print(
        surprises.length === 0 ? '\nEverything came out as it should.' : `\n${surprises.length} surprises.`,
      );
      return surprises.length === 0 ? 0 : 1;
    },
  };
};

export type Narrator = ReturnType<typeof narrator>;
