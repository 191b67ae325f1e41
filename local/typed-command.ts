import { resolve } from 'node:path';

import { defaultStateDir } from './running-service.ts';

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
