import type { Invocation } from './invocation.ts';
import { daysAMonth, type Times } from './load.ts';
import type { Resource } from './prices.ts';

export type Use = Readonly<Partial<Record<Resource, number>>>;

/** A row of an area, with what its invocation uses. */
export type Usage = {
  area: string;
  times: Times;
  use: Use;
  run?: Invocation | undefined;
};

export const monthHours = daysAMonth * 24;

/** Returns the times of what counts for the bill and for no limit, because a busy second does not change it. */
export function inAMonth(month: number): Times {
  return { month, second: 0 };
}

export function sumUsage(usage: readonly Usage[], resource: Resource, per: keyof Times): number {
  return usage.reduce((sum, { times, use }) => sum + times[per] * (use[resource] ?? 0), 0);
}
