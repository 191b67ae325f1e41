import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as z from 'zod/mini';
import { unlessItFails } from '../shared/platform/runtime/unless-it-fails.ts';

export const defaultStateDir = '.local';

/** Reads `endpoints.json` of the service that runs on the state folder; `undefined` if none runs. */
export function readEndpoints<Endpoints>(stateDir: string, schema: z.ZodMiniType<Endpoints>) {
  const file = join(stateDir, 'endpoints.json');
  return unlessItFails(() => schema.parse(JSON.parse(readFileSync(file, 'utf8'))));
}

/** A service on this machine responds in milliseconds. */
const responseDeadlineMs = 2_000;

/** False if the service crashed, which leaves its file behind; another program may have its port since. */
export function isListening(endpoint: string): Promise<boolean> {
  return fetch(endpoint, { signal: AbortSignal.timeout(responseDeadlineMs) }).then(
    () => true,
    () => false,
  );
}

/** Quotes a word for a shell if it needs quotes. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A command for the service on this state folder: `npm run partner -- enable bars --state folder`. */
export function npmRun(script: string, words: string, stateDir: string): string {
  const state = resolve(stateDir) === resolve(defaultStateDir) ? '' : `--state ${quoted(stateDir)}`;
  const all = [words, state].filter((text) => text !== '').join(' ');
  return `npm run ${script}${all === '' ? '' : ` -- ${all}`}`;
}
