import * as z from 'zod/mini';

const Instant = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** Milliseconds of an ISO 8601 time with its offset, or of a date's midnight in UTC; `undefined` for other text. */
export function readInstant(text: string): number | undefined {
  return Instant.safeParse(text).success ? Date.parse(text) : undefined;
}

/** To the second, in UTC. */
export function writeInstant(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}
