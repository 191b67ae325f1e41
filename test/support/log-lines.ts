import { onTestFinished, vi } from 'vitest';
import { logger } from '../../shared/platform/logging/log.ts';

/** Collects the lines that functions write from now to the end of the test. */
export function collectLines(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const collect = (...[message, fields]: unknown[]): void => {
    lines.push({ message, ...(fields as object) });
  };
  const levels = ['info', 'error'] as const;
  const spies = levels.map((level) => vi.spyOn(logger, level).mockImplementation(collect));
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return lines;
}
