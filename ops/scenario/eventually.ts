import { setTimeout as delay } from 'node:timers/promises';

export type Polling = { timeoutSeconds: number; intervalMs: number };

/** Asks until the answer passes or the time is over; returns the last answer, passed or not. */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  passes: (value: Value) => boolean,
  { timeoutSeconds, intervalMs }: Polling = { timeoutSeconds: 30, intervalMs: 50 },
): Promise<Value> {
  const deadline = performance.now() + timeoutSeconds * 1_000;
  for (;;) {
    const value = await ask();
    if (passes(value) || performance.now() > deadline) return value;
    await delay(intervalMs);
  }
}
