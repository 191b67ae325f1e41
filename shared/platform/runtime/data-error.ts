/** Schemas, `JSON.parse` and V8 throw these for a value that our code cannot take. */
const names = new Set(['$ZodError', 'SyntaxError', 'TypeError', 'RangeError']);

/**
 * Whether data could not be processed, so that the same data would fail again. Failures of calls are none: the SDK marks
 * them with `$metadata`, also those that it throws for a response it cannot parse.
 */
export function isDataError(error: unknown): error is Error {
  if (!(error instanceof Error) || '$metadata' in error) return false;
  // Node's errors of gunzip have codes such as Z_DATA_ERROR.
  return names.has(error.name) || ('code' in error && String(error.code).startsWith('Z_'));
}
