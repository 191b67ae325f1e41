/** Milliseconds since the epoch, UTC. The only source of time: rules get the time passed in. */
export type Clock = { now: () => number };

export const systemClock: Clock = { now: () => Date.now() };

/** DynamoDB's time-to-live counts in whole seconds. */
export const epochSeconds = (atMs: number): number => Math.ceil(atMs / 1000);

export const minutes = (count: number): number => count * 60_000;
export const hours = (count: number): number => count * 3_600_000;
export const days = (count: number): number => count * 86_400_000;
