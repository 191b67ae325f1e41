/** Ends a command with one sentence for the reader of the terminal: 1 failed or not found, 2 wrong usage. */
export class Stop extends Error {
  override name = 'Stop';
  readonly exitCode: 1 | 2;

  constructor(exitCode: 1 | 2, sentence: string) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

export function failed(sentence: string): Stop {
  return new Stop(1, sentence);
}

export function wrongUsage(sentence: string): Stop {
  return new Stop(2, sentence);
}

/** When a condition did not hold because another operator, or a worker, was quicker. */
export function changedMeanwhile(partnerId: string): Stop {
  return failed(
    `${partnerId} was changed by somebody else at the same moment, nothing was done: run it again.`,
  );
}
