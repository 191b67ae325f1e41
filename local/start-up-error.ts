import { CommandError } from '../build/command.ts';

/** The runner cannot start as it was told to: an option, a template or a file is not as it must be. */
export class StartUpError extends CommandError {
  override name = 'StartUpError';
}
