import { createHash } from 'node:crypto';

/** Everything that happened, in order: its hash tells whether two runs were the same, its lines are the timeline. */
export function createEventLog(now: () => number, startMs: number, kept: boolean) {
  const hash = createHash('sha256');
  const lines: string[] = [];
  return {
    add: (text: string): void => {
      const line = `${((now() - startMs) / 1_000).toFixed(3).padStart(11)} s  ${text}`;
      hash.update(line);
      if (kept) lines.push(line);
    },
    lines: (): readonly string[] => lines,
    hash: (): string => hash.copy().digest('hex').slice(0, 16),
  };
}
