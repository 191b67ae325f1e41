import { readFileSync } from 'node:fs';

/** The sample event of a function, by the function's id. */
// biome-ignore lint/suspicious/noExplicitAny: events of many shapes
export const sampleEvent = (id: string): any => JSON.parse(readFileSync(`events/${id}.json`, 'utf8'));
