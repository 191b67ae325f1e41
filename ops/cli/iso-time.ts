import * as z from 'zod/mini';

const IsoTime = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** Milliseconds of an ISO 8601 time with its offset, or of a date's midnight in UTC; `undefined` for other text. */
export function parseTime(text: string): number | undefined {
  return IsoTime.safeParse(text).success ? Date.parse(text) : undefined;
}

/** To the second, in UTC. */
export function formatTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}
