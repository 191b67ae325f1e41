/** `1 row`, `2,500 rows`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : `${noun}s`}`;
}

/** A time to the second, in UTC. */
export function formatTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}

/**
 * A line of output. Texts of partners may hold control characters, with which they could add lines, rewrite what an
 * operator's terminal shows, or its clipboard. They are shown as JSON escapes them.
 */
export function oneLine(text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, escaped);
}

/** The same of several lines, which end as they do. */
export function printable(text: string): string {
  return text.split('\n').map(oneLine).join('\n');
}

/** A table of padded columns without lines, so that cut and grep work. */
export function plainTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows.map((row) => row.map(oneLine))];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ');
  return all.map((row) => line(row).trimEnd()).join('\n');
}

/** Lines of a name and its text, aligned. */
export function listing(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, text]) => `  ${name.padEnd(width)}  ${oneLine(text)}`).join('\n');
}

/** Secrets with their names, and what to do with them. */
export function shownOnce(secrets: Readonly<Record<string, string>>): string {
  return `${listing(Object.entries(secrets))}

This is the only time it is shown. Hand it over where nobody else reads it.`;
}
