/** What a log line says of an error whose message may quote a body. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
