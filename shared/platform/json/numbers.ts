import { firstMark, type InexactNumber, scanJson } from './scan.ts';

/** Raw JSON values, of ES2026: `JSON.stringify` writes their text unchanged. */
declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds members to one that exists.
  interface JSON {
    rawJSON(text: string): { rawJSON: string };
    isRawJSON(value: unknown): value is { rawJSON: string };
  }
}

/** Values that are nested more deeply than this are refused or dropped before they are passed on. */
const maxLevels = 40;

/**
 * Restores the source text of numbers that JavaScript would write differently, in a value that was read from a JSON
 * text, so that they are passed on as the partner wrote them. The value may have more or fewer members than the text; it
 * is changed in place. Nearly every text has no such numbers.
 */
export function restoreNumbers<Value>(value: Value, text: string): Value {
  const restore = restorer(text);
  return restore ? restore(value) : value;
}

/**
 * Returns a function that does the same for a part of the value, given the path to it; `undefined` if nothing is to be
 * restored. It parses a copy of the text in which the nth of the numbers is `<n>e300`, which shows where each went.
 * (`JSON.parse` with a reviver takes several times as long, and recurses as deeply as the text is nested.)
 */
export function restorer(
  text: string,
  inexact: readonly InexactNumber[] = scanJson(text).inexact,
): (<Part>(part: Part, ...path: readonly (string | number)[]) => Part) | undefined {
  if (inexact.length === 0) return undefined;
  const root: unknown = JSON.parse(withMarks(text, inexact));
  return (part, ...path) => {
    const marked = path.reduce((value, step) => memberOf(value, step), root);
    return restored(part, marked, inexact, maxLevels) as typeof part;
  };
}

function withMarks(text: string, inexact: readonly InexactNumber[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const [n, { at, source }] of inexact.entries()) {
    pieces.push(text.slice(from, at), `${n + 1}e300`);
    from = at + source.length;
  }
  pieces.push(text.slice(from));
  return pieces.join('');
}

function memberOf(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string | number, unknown>)[name];
}

function restored(
  value: unknown,
  marked: unknown,
  inexact: readonly InexactNumber[],
  levels: number,
): unknown {
  if (typeof marked === 'number' && marked >= firstMark) {
    const number = inexact[Math.round(marked / firstMark) - 1];
    return number ? JSON.rawJSON(number.source) : value;
  }
  if (typeof value !== 'object' || value === null || levels === 0) return value;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const before = members[name];
    const after = restored(before, memberOf(marked, name), inexact, levels - 1);
    if (after !== before) members[name] = after;
  }
  return value;
}
