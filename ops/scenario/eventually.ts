import { setTimeout as delay } from 'node:timers/promises';

type Waiting<Value> = { until?: (value: Value) => boolean; timeoutSeconds?: number; intervalMs?: number };

/**
 * Asks until the answer passes (without `until`: until it is truthy) and returns it. Throws when the time is over; the
 * error says what was expected and the last answer.
 */
export async function eventually<Value>(
  what: string,
  ask: () => Value | Promise<Value>,
  { until = Boolean, timeoutSeconds = 30, intervalMs = 50 }: Waiting<Value> = {},
): Promise<NonNullable<Value>> {
  const deadline = performance.now() + timeoutSeconds * 1_000;
  for (;;) {
    const value = await ask();
    if (until(value)) return value as NonNullable<Value>;
    if (performance.now() > deadline)
      throw new Error(
        `${what}: not within ${timeoutSeconds} s, the last answer was ${JSON.stringify(value)}`,
      );
    await delay(intervalMs);
  }
}
