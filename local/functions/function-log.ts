import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { unlessItFails } from '../../shared/platform/runtime/unless-it-fails.ts';
import type { Log } from '../log.ts';

export type FunctionLog = ReturnType<typeof openFunctionLog>;

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Returns what the terminal shows of a log line: errors, warnings, and why receipts were parked, because their sender
 * gets no response. Returns `undefined` for any other line.
 */
function summarizeLine(line: string): string | undefined {
  const entry = line.startsWith('{') && unlessItFails(() => JSON.parse(line));
  if (!entry) return undefined;
  if (!['WARN', 'ERROR', 'CRITICAL'].includes(entry.level)) {
    return (
      entry.parkedReasons &&
      `parked ${JSON.stringify(entry.parkedReasons)} of queue message ${text(entry.queueMessageId)}`
    );
  }
  const cause = text(entry.error?.message) || text(entry.errorMessage);
  return [entry.level, text(entry.message), cause].filter((part) => part !== '').join(' ');
}

/** Calls `write` with each line until the stream ends. `readline` would also split at U+2028, which JSON may contain. */
export async function followLines(stream: Readable, write: (line: string) => void): Promise<void> {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') write(line);
  }
  if (rest !== '') write(rest);
}

/** Opens the log file of a function. The terminal shows errors, warnings and what was parked too, each in one line. */
export function openFunctionLog(folder: string, functionName: string, log: Log) {
  let file: number | undefined = openSync(join(folder, `${functionName}.log`), 'a');
  return {
    write: (line: string): void => {
      // The last lines of a worker may arrive after it was closed.
      if (file === undefined) return;
      writeSync(file, `${line}\n`);
      const summary = summarizeLine(line);
      if (summary) log.warn(`${functionName}: ${summary}`);
    },
    close: (): void => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
