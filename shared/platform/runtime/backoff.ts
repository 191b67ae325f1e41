const basePauseMs = 25;
export const longestPauseMs = 1_000;

/** The pause before repeat number `attempt`, counted from 1: full jitter, and twice as long each time. */
export function pauseBeforeMs(attempt: number): number {
  return Math.random() * Math.min(longestPauseMs, basePauseMs * 2 ** attempt);
}

/** A pause of about `ms`, up to a quarter more or less, so that instances that began together do not go on together. */
export function aboutMs(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}
