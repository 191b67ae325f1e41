const nothing = {
  /** Units of the table. */
  read: 0,
  write: 0,
  /** Calls of the table, including those that consumed nothing or were refused. */
  tableCalls: 0,
  /** Requests that the function sent to queues. SQS bills each begun 64 kB as one. */
  queueRequests: 0,
};

export type Consumption = Readonly<typeof nothing>;

/** The consumption of one call of an engine. */
export type Consumed = Partial<Consumption> & {
  /** The function's short name: `SendBulk`. */
  functionName: string;
  /** `PutItem`, `SendMessageBatch` */
  operation: string;
};

export function sumConsumed(consumed: readonly Consumed[]): Consumption {
  const total = { ...nothing };
  for (const one of consumed)
    for (const name of Object.keys(nothing) as (keyof Consumption)[]) total[name] += one[name] ?? 0;
  return total;
}
