import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { stageOption, stateOption, tableOption } from '../cli/target.ts';
import { createPartner, disablePartner, enablePartner, listPartners } from './accounts.ts';
import { callback } from './callback.ts';
import { callbacks } from './callbacks.ts';
import { erasePartnerCommand, eraseRecipientCommand } from './erase.ts';
import { keys } from './keys.ts';
import { changeLimits } from './limits.ts';
import { offers } from './offers.ts';
import { after, type Run } from './partner-command.ts';
import { rotateSecret } from './secrets.ts';
import { showPartner } from './show.ts';

/** What stands behind `npm run partner --`. */
export function partnerProgram(run: Run) {
  // A suggestion after an error would be the last word of a command alone.
  return new Command('npm run partner --')
    .description('Administers partners: their accounts, offers, limits and callbacks.')
    .addOption(stateOption)
    .addOption(stageOption)
    .addOption(tableOption)
    .option('--json', 'Print one JSON document and nothing else')
    .configureHelp({ showGlobalOptions: true, visibleCommands: leavesOf, subcommandTerm: termOf })
    .showSuggestionAfterError(false)
    .helpCommand(false)
    .addHelpText(...after(afterHelp))
    .addCommand(createPartner(run))
    .addCommand(showPartner(run))
    .addCommand(listPartners(run))
    .addCommand(offers(run))
    .addCommand(keys(run))
    .addCommand(changeLimits(run))
    .addCommand(rotateSecret(run))
    .addCommand(disablePartner(run))
    .addCommand(enablePartner(run))
    .addCommand(callback(run))
    .addCommand(callbacks(run))
    .addCommand(erasePartnerCommand(run))
    .addCommand(eraseRecipientCommand(run));
}

const afterHelp = `Without --stage and --table a command works on the local service that npm start runs. With one of them it works
in AWS, with region and credentials from the usual environment (AWS_PROFILE, AWS_REGION). Commands that are hard
to undo prompt for the partner's id; --yes answers for you, and is needed where there is no terminal. For programs:
npm run --silent partner -- list --json.

Exit codes: 0 done, 1 failed or not found, 2 wrong usage.`;

/** The help of the program lists every command, those of its groups too. */
function leavesOf({ commands }: CommandUnknownOpts): CommandUnknownOpts[] {
  return commands.flatMap((command) => (command.commands.length > 0 ? command.commands : [command]));
}

function termOf(command: CommandUnknownOpts): string {
  const groupName = command.parent?.parent ? [command.parent.name()] : [];
  return [
    ...groupName,
    command.name(),
    ...command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`)),
  ].join(' ');
}
