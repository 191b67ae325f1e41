import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { unlessItFails } from '../runtime/unless-it-fails.ts';

/** `file:///var/task/index.mjs:90:30857`, line and column from 1. */
const frame = /(file:\/\/[^\s():]+\.mjs):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

/** Read at the first error: few instances ever log one. Code that was not bundled has no map, and keeps its stack trace. */
function readMap(moduleUrl: string): SourceMap | undefined {
  if (!maps.has(moduleUrl)) {
    const read = () => new SourceMap(JSON.parse(readFileSync(new URL(`${moduleUrl}.map`), 'utf8')));
    maps.set(moduleUrl, unlessItFails(read));
  }
  return maps.get(moduleUrl);
}

/** `shared/check-ins/check-in.ts:51:35`; a bundle lies some folders below our own. */
function findSource(moduleUrl: string, line: number, column: number): string | undefined {
  const entry = readMap(moduleUrl)?.findEntry(line - 1, column - 1);
  return entry && 'originalSource' in entry
    ? `${entry.originalSource.replace(/^(\.\.\/)+/, '')}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
    : undefined;
}

/**
 * Names source files and lines in a stack trace instead of those of a bundle. Node would do it under
 * `--enable-source-maps`, but would then read the map at every cold start.
 */
export function readableStack(stack: string): string {
  return stack.replace(
    frame,
    (place, url: string, line: string, column: string) =>
      unlessItFails(() => findSource(url, Number(line), Number(column))) ?? place,
  );
}

/** The places in an error's stack trace, the nearest first. Its message is left out, because it may quote a body. */
export function placesIn(error: Error): string[] {
  const lines = readableStack(String(error.stack ?? '')).split('\n');
  return lines.filter((line) => line.startsWith('    at ')).map((line) => line.slice('    at '.length));
}
