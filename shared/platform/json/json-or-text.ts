import { unlessItFails } from '../runtime/unless-it-fails.ts';

/** The value of a JSON text, or the text itself if it is not JSON. */
export function jsonOrText(text: string): unknown {
  const value: unknown = unlessItFails(() => JSON.parse(text));
  // JSON has null, but nothing that is undefined.
  return value === undefined ? text : value;
}
