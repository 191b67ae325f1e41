import { setTimeout as delay } from 'node:timers/promises';

/** How long to go on asking, and how often. */
export type Patience = { seconds: number; pollMs: number };

/** Asks until the answer passes, for `seconds` at most; then the last answer comes back as it is. */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  passes: (value: Value) => boolean,
  { seconds, pollMs }: Patience = { seconds: 30, pollMs: 50 },
): Promise<Value> {
  const deadline = performance.now() + seconds * 1_000;
  for (;;) {
    const value = await ask();
    if (passes(value) || performance.now() > deadline) return value;
    await delay(pollMs);
  }
}
