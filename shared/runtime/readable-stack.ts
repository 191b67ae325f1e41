import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** `file:///var/task/index.mjs:90:30857`, line and column from 1. */
const frame = /(file:[^\s()]+\.mjs):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

/** Read when the first error asks for it: of all instances, few ever log one. */
const mapOf = (moduleUrl: string): SourceMap | undefined => {
  if (!maps.has(moduleUrl)) {
    try {
      maps.set(moduleUrl, new SourceMap(JSON.parse(readFileSync(new URL(`${moduleUrl}.map`), 'utf8'))));
    } catch {
      // Code that was not bundled has none, and a stack trace without it is better than none.
      maps.set(moduleUrl, undefined);
    }
  }
  return maps.get(moduleUrl);
};

/**
 * Names our files and lines (`shared/check-ins/check-in-store.ts:51:35`) in a stack trace where it names those of
 * a bundle. Node would do it by itself under `--enable-source-maps`, but then reads the map at every cold start.
 */
export const readableStack = (stack: string): string =>
  stack.replace(frame, (place, url: string, line: string, column: string) => {
    const origin = mapOf(url)?.findOrigin(Number(line), Number(column));
    return origin && 'fileName' in origin
      ? `${origin.fileName.replace(/^(\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`
      : place;
  });
