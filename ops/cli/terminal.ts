import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { failure, type Output, standardOutput, usageError } from '../../build/command-line.ts';

/** Where a command reads and writes: results are printed, all else goes to stderr. */
export interface Terminal extends Output {
  /** Writes over the last progress, and with an empty text clears it; absent where nobody watches. */
  progress?(text: string): void;
  /** Absent where nobody can answer. */
  ask?(question: string): Promise<string>;
  /** All that is piped in; absent on a keyboard, which would show a password as it is typed. */
  readPiped?(): Promise<string>;
}

async function ask(question: string): Promise<string> {
  using lines = createInterface({ input: process.stdin, output: process.stderr });
  return await lines.question(question);
}

export function processTerminal(): Terminal {
  return {
    ...standardOutput,
    ...(process.stderr.isTTY ? { progress: (line) => process.stderr.write(`\r\u001b[K${line}`) } : {}),
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
    ...(process.stdin.isTTY ? {} : { readPiped: () => text(process.stdin) }),
  };
}

export interface Confirmation {
  readonly consequence: string;
  /** What must be typed, and what it is called. */
  readonly expected: string;
  readonly name: string;
}

/** Goes on only after the operator has typed what is expected. */
export async function confirm({ ask }: Terminal, confirmation: Confirmation): Promise<void> {
  const { consequence, expected, name } = confirmation;
  if (!ask)
    throw usageError(`It asks for ${name} before it goes on, and nobody is here to answer: add --yes.`);
  const response = await ask(`${consequence}\nType ${name} to go on: `);
  if (response.trim() !== expected) throw failure(`That is not ${expected}: nothing was changed.`);
}
