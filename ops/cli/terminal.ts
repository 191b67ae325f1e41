import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';

/** Where a command reads and writes. */
export interface Terminal {
  /** What was asked for. */
  print(text: string): void;
  /** Everything else: refusals and progress. */
  say(text: string): void;
  /** Writes over the last progress, and with an empty text clears it; absent where nobody watches. */
  progress?(text: string): void;
  /** Absent where nobody can answer. */
  ask?(question: string): Promise<string>;
  /** All that is piped in; absent on a keyboard, which would show a password as it is typed. */
  readPiped?(): Promise<string>;
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

export function processTerminal(): Terminal {
  return {
    print: (line) => console.log(line),
    say: (line) => console.error(line),
    ...(process.stderr.isTTY ? { progress: (line) => process.stderr.write(`\r\u001b[K${line}`) } : {}),
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
    ...(process.stdin.isTTY ? {} : { readPiped: () => text(process.stdin) }),
  };
}
