import { CommandError } from '../build/command-line.ts';

/** The runner cannot start as it was told to: an option, a template or a file is not as it must be. */
export class StartUpError extends CommandError {
  override name = 'StartUpError';

  constructor(sentence: string) {
    super(1, sentence);
  }
}
