import { resolve } from 'node:path';

export const defaultStateDir = '.local';

/** A word as it is typed in a shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A command as it is typed for the service of this state folder: `npm run partner -- enable bars --state folder`. */
export function npmRun(script: string, words: string, stateDir: string): string {
  const state = resolve(stateDir) === resolve(defaultStateDir) ? '' : `--state ${quoted(stateDir)}`;
  const all = [words, state].filter((text) => text !== '').join(' ');
  return `npm run ${script}${all === '' ? '' : ` -- ${all}`}`;
}
