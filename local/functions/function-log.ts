import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Log } from '../log.ts';

export interface FunctionLog {
  /** Follows one of a worker's output streams, line by line. */
  follow(stream: Readable): void;
  write(line: string): void;
  close(): void;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What of a log line is worth the terminal: errors and warnings, in a few words. */
function worthShowing(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry = JSON.parse(line);
    if (entry.level !== 'ERROR' && entry.level !== 'WARN' && entry.level !== 'CRITICAL') return undefined;
    const cause = text(entry.error?.message) || text(entry.errorMessage);
    return [entry.level, text(entry.message), cause].filter((part) => part !== '').join(' ');
  } catch {
    return undefined;
  }
}

/** One file for each function; errors and warnings are also said on the terminal, in one line. */
export function openFunctionLog(folder: string, functionName: string, log: Log): FunctionLog {
  mkdirSync(folder, { recursive: true });
  let file: number | undefined = openSync(join(folder, `${functionName}.log`), 'a');
  const write = (line: string): void => {
    // A worker's last words may come after its end.
    if (file === undefined) return;
    writeSync(file, `${line}\n`);
    const short = worthShowing(line);
    if (short) log.warn(`${functionName}: ${short}`);
  };
  return {
    write,
    follow: (stream) => {
      let rest = '';
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line !== '') write(line);
      });
      stream.on('end', () => {
        if (rest !== '') write(rest);
      });
    },
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
