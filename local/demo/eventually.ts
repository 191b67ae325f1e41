import { setTimeout as delay } from 'node:timers/promises';

/** Asks until the answer passes, for `seconds` at most; then the last answer comes back as it is. */
export const eventually = async <Value>(
  ask: () => Promise<Value>,
  passes: (value: Value) => boolean,
  { seconds = 30, pollMs = 50 } = {},
): Promise<Value> => {
  const deadline = performance.now() + seconds * 1_000;
  for (;;) {
    const value = await ask();
    if (passes(value) || performance.now() > deadline) return value;
    await delay(pollMs);
  }
};
