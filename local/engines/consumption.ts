/** The units of the table, the requests to queues and the invocations that a function consumed. */
export type Consumption = Readonly<typeof nothing>;

const nothing = {
  read: 0,
  write: 0,
  /** Calls of the table, including those that consumed nothing or were refused. */
  tableCalls: 0,
  /** Requests that the function sent to queues. SQS bills each begun 64 kB as one. */
  queueRequests: 0,
  invocations: 0,
};

export function sum(a: Consumption = nothing, b: Partial<Consumption> = nothing): Consumption {
  const total = { ...a };
  for (const name of Object.keys(nothing) as (keyof Consumption)[]) total[name] += b[name] ?? 0;
  return total;
}

export function totalOf(byFunction: ReadonlyMap<string, Consumption>): Consumption {
  return [...byFunction.values()].reduce((total, one) => sum(total, one), nothing);
}

/** `partner-integration-dev-SendBulk` -> `SendBulk` */
export function shortName(name: string): string {
  return name.split('-').at(-1) ?? name;
}
