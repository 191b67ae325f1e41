import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { failure, type Output, standardOutput, usageError } from '../../build/command-line.ts';
import { type Clock, systemClock } from '../../shared/platform/runtime/clock.ts';
import { type Ids, systemIds } from '../../shared/platform/runtime/ids.ts';

/** Where a command reads and writes. Results go to stdout, everything else to stderr. */
export interface Terminal extends Output {
  /** Replaces the last line of progress; an empty text clears it. Absent if stderr is not a terminal. */
  progress?(text: string): void;
  /** Prompts the operator. Absent without a terminal. */
  ask?(question: string): Promise<string>;
  /** Reads standard input. Absent on a keyboard, where a password would be visible as it is typed. */
  readPiped?(): Promise<string>;
}

async function ask(question: string): Promise<string> {
  using lines = createInterface({ input: process.stdin, output: process.stderr });
  return await lines.question(question);
}

/** The parts that a program gets from outside, so that tests can replace them. */
export interface CommandDeps {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly ids: Ids;
}

export function systemDeps(): CommandDeps {
  const terminal: Terminal = {
    ...standardOutput,
    ...(process.stderr.isTTY ? { progress: (line) => process.stderr.write(`\r\u001b[K${line}`) } : {}),
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
    ...(process.stdin.isTTY ? {} : { readPiped: () => text(process.stdin) }),
  };
  return { terminal, clock: systemClock, ids: systemIds };
}

type Prompt = { consequence: string; expected: string; name: string };

/** Prompts the operator, and fails unless the expected text is typed, which the prompt calls by its name. */
export async function confirm({ ask }: Terminal, { consequence, expected, name }: Prompt): Promise<void> {
  if (!ask)
    throw usageError(`It prompts for ${name} before it continues, and there is no terminal: add --yes.`);
  const response = await ask(`${consequence}\nType ${name} to go on: `);
  if (response.trim() !== expected) throw failure(`That is not ${expected}: nothing was changed.`);
}
