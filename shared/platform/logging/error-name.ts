/** Returns the name of an error, for log lines: its message may quote a body. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
