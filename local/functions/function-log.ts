import { closeSync, openSync, writeSync } from 'node:fs';
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

/**
 * What the terminal shows of a log line: errors, warnings, and why receipts were parked, because their sender gets no
 * response. `undefined` means nothing.
 */
function summaryOf(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry = JSON.parse(line);
    if (!['WARN', 'ERROR', 'CRITICAL'].includes(entry.level)) {
      return entry.parkedReasons && `parked ${JSON.stringify(entry.parkedReasons)}`;
    }
    const cause = text(entry.error?.message) || text(entry.errorMessage);
    return [entry.level, text(entry.message), cause].filter((part) => part !== '').join(' ');
  } catch {
    return undefined;
  }
}

/** Calls `write` with each line. `readline` would also split at U+2028, which JSON text may contain. */
export function followLines(stream: Readable, write: (line: string) => void): void {
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
}

/** One file for each function; the terminal shows errors, warnings and what was parked too, each in one line. */
export function openFunctionLog(folder: string, functionName: string, log: Log): FunctionLog {
  let file: number | undefined = openSync(join(folder, `${functionName}.log`), 'a');
  const write = (line: string): void => {
    // The last lines of a worker may arrive after it was closed.
    if (file === undefined) return;
    writeSync(file, `${line}\n`);
    const summary = summaryOf(line);
    if (summary) log.warn(`${functionName}: ${summary}`);
  };
  return {
    write,
    follow: (stream) => followLines(stream, write),
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
