import { readFileSync } from 'node:fs';

/** Returns the sample event of a function, by the function's id. */
// biome-ignore lint/suspicious/noExplicitAny: events of many shapes
export function sampleEvent(id: string): any {
  return JSON.parse(readFileSync(`events/${id}.json`, 'utf8'));
}
