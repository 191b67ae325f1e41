import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const root = new URL('../../../', import.meta.url);

/** A line of the service and what it becomes. `name` says what the change does. */
export type LineChange = {
  name: string;
  file: string;
  was: string;
  becomes: string;
};

/** A text without what a formatter changes, white space and commas before brackets, and where each character was. */
function essenceOf(text: string): { text: string; at: readonly number[] } {
  const kept = [...text.matchAll(/(?!,\s*[)\]}])\S/g)];
  return { text: kept.map(([character]) => character).join(''), at: kept.map(({ index }) => index) };
}

/** Returns the source with the changed line, which it must have once, however it is formatted. */
export function changedSource(source: string, { name, file, was, becomes }: LineChange): string {
  const { text, at } = essenceOf(source);
  const wanted = essenceOf(was).text;
  const from = text.indexOf(wanted);
  const tell = (what: string) => new Error(`"${name}": ${file} ${what}`);
  if (from < 0) throw tell(`has no line with "${was.trim()}"`);
  if (text.includes(wanted, from + 1))
    throw tell(`has "${was.trim()}" more than once: name more of the line`);
  const end = at[from + wanted.length - 1] as number;
  return `${source.slice(0, at[from])}${becomes.trim()}${source.slice(end + 1)}`;
}

/** The source of the file as it is, and as the change makes it. */
export function bothSources(change: LineChange): { before: string; after: string } {
  const file = new URL(change.file, root);
  const before = readFileSync(file, 'utf8');
  return { before, after: changedSource(before, change) };
}

/** Changes a line of the service when its module is loaded. Throws if the file or the line does not exist. */
export function changeLine(change: LineChange): void {
  bothSources(change);
  const changed = new URL(change.file, root).href;
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (url.split('?')[0] !== changed) return loaded;
      return { ...loaded, source: changedSource(String(loaded.source), change) };
    },
  });
}
