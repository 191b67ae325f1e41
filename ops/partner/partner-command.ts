import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Report, Session } from './session.ts';

/** Makes the action of a command: it opens a session, does the work in it, and prints the report. */
export type Run = <Args extends unknown[]>(
  work: (session: Session, ...args: Args) => Promise<Report>,
) => (...args: Args) => Promise<void>;

export function partnerCommand(name: string, description: string) {
  return new Command(name).description(description).argument('<partnerId>');
}

export function group(name: string, description: string, commands: readonly CommandUnknownOpts[]): Command {
  const grouping = new Command(name).description(description);
  for (const command of commands) grouping.addCommand(command);
  return grouping;
}

/** Arguments of addHelpText: a paragraph below the options. */
export function after(text: string) {
  return ['after', `\n${text}`] as const;
}

export const yesOption = new Option('--yes', "Go on without typing the partner's id");
