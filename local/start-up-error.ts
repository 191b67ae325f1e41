/** Something the reader of the terminal can mend. Its message is one sentence, shown without a stack trace. */
export class StartUpError extends Error {
  override name = 'StartUpError';
}
