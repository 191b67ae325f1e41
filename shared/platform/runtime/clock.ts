/** The only source of time, in milliseconds since the epoch (UTC). Rules get the time as an argument. */
export type Clock = { now: () => number };

export const systemClock: Clock = { now: () => Date.now() };

/** DynamoDB's time to live is in whole seconds. */
export function epochSeconds(atMs: number): number {
  return Math.ceil(atMs / 1000);
}

/** The clocks of two instances differ by less. */
export const clocksDifferMs = 5_000;

export function minutes(count: number): number {
  return count * 60_000;
}

export function hours(count: number): number {
  return count * 3_600_000;
}

export function days(count: number): number {
  return count * 86_400_000;
}
