import { targetOptions } from '../cli/find-table.ts';
import type { OptionSet } from '../cli/options.ts';
import { listing } from '../cli/plain-table.ts';
import type { Command } from './command.ts';

/** What every command takes. */
export const commonOptions: OptionSet = {
  ...targetOptions,
  json: { text: 'Print one JSON document and nothing else' },
  help: { text: 'Show the help of the command' },
};

/** What is typed before a dangerous command goes on. */
export function typedFirst({ asksFor = "the partner's id" }: Pick<Command, 'asksFor'>): string {
  return asksFor;
}

export function optionsOf(command: Command): OptionSet {
  return {
    ...command.options,
    ...(command.dangerous ? { yes: { text: `Go on without typing ${typedFirst(command)}` } } : {}),
    ...commonOptions,
  };
}

const runs = 'npm run partner --';

function optionLines(options: OptionSet): string {
  return listing(
    Object.entries(options).map(([name, { value, text }]) => [
      value === undefined ? `--${name}` : `--${name} ${value}`,
      text,
    ]),
  );
}

export function usageOf({ name, operands, synopsis }: Command): string {
  return [name, ...operands.map((word) => `<${word}>`), ...(synopsis === undefined ? [] : [synopsis])].join(
    ' ',
  );
}

export function helpOf(command: Command): string {
  return [
    command.summary,
    `  ${runs} ${usageOf(command)}`,
    optionLines(optionsOf(command)),
    ...(command.details === undefined ? [] : [command.details]),
  ].join('\n\n');
}

export function generalHelp(commands: readonly Command[]): string {
  return `Administers partners: their accounts, offers, limits and callbacks.

${runs} <command> [options]

${commands.map((command) => `  ${usageOf(command)}\n      ${command.summary}`).join('\n')}

Every command takes:

${optionLines(commonOptions)}

Without --stage and --table a command works on the local service that npm start runs. With one of them it works
in AWS, with region and credentials from the usual environment (AWS_PROFILE, AWS_REGION). Dangerous commands ask
for the partner's id; --yes answers for you, and is needed where there is no terminal. Machines read
--json, with npm run --silent partner.

Exit codes: 0 done, 1 failed or not found, 2 wrong usage.`;
}
