import { Command } from '@commander-js/extra-typings';
import { OfferId, PartnerId } from '../../shared/partners/partner-ids.ts';
import { msisdnEnd } from '../../shared/platform/logging/msisdn-end.ts';
import { type RowKey, rowId } from '../../shared/platform/table/row-keys/row-key.ts';
import { Msisdn } from '../../shared/push/sending/push-content.ts';
import { failure, type Terminal, tellingHowFar, usageError } from '../cli/command-line.ts';
import { remedyOf } from '../cli/damaged-row.ts';
import { counted, oneLine } from '../cli/formats.ts';
import { listOf, matching } from '../cli/option-values.ts';
import { type CapacityMeter, capacityMeter, rateOption } from '../data-lifecycle/capacity-meter.ts';
import { erasePartner } from '../data-lifecycle/erase-partner.ts';
import { eraseRecipient } from '../data-lifecycle/erase-recipient.ts';
import { rowsAndUnits } from '../data-lifecycle/tally.ts';
import type { Run, Session } from './session.ts';

export function erasePartnerCommand(run: Run) {
  return new Command('erase')
    .description('Deletes everything that is stored of a disabled partner.')
    .argument('<partnerId>', 'The partner, or one that was erased before', matching(PartnerId))
    .option('--offer <id>', 'An offer that it once had; may be repeated', listOf(matching(OfferId)))
    .option('--dry-run', 'Count what would be deleted, delete nothing')
    .addOption(rateOption)
    .addHelpText(
      'after',
      `
The partner must have been disabled for at least 5 minutes, because the gateway caches the authorizer's response. The
whole table is read, since nothing else leads to all rows: 500 units read 2 MB a second, so 7 GB in an hour. If the
command was stopped, run it again: what leads to the partner is deleted last. Afterwards the same command with its
offers removes what came out of queues since.
Recipients belong to the wallet platform, and stay.`,
    )
    .action(run(erasePartnerOf));
}

type EraseOptions = { dryRun?: true | undefined; unitsPerSecond: number; offer?: string[] | undefined };

function goneSoFar(meter: CapacityMeter): () => string {
  return () => `${counted(meter.found, 'row')} are deleted or changed.`;
}

async function erasePartnerOf(session: Session, partnerId: string, options: EraseOptions) {
  const { partners, table } = session;
  const { offer = [], dryRun = false } = options;
  const partner = await partners.find(partnerId);
  if (partner && !partner.disabled && !dryRun)
    throw failure(`${partnerId} is enabled and may still write: disable it, and come back 5 minutes later.`);
  const unknown = partner === undefined && offer.length === 0;
  const offerIds = [...new Set([...(partner?.offerIds ?? []), ...offer])];
  const foreign = (await partners.offers(offerIds)).find((one) => one.partnerId !== partnerId);
  if (foreign) throw failure(`Offer ${foreign.offerId} belongs to another partner: nothing was deleted.`);
  if (!dryRun) {
    const doubt = unknown ? `No partner "${partnerId}" is known, but rows of it may exist. ` : '';
    const warning = `Everything of ${partnerId} will be deleted, for good. It may still write in the first 5 minutes after disable.`;
    await session.confirm(partnerId, `${doubt}${warning}`);
  }
  const meter = capacityMeter(table, options.unitsPerSecond, session.terminal);
  const erasure = { partnerId, login: partner?.login, offerIds, dryRun };
  const work = () => erasePartner(table, meter, erasure);
  const { rows, ...erased } = await (dryRun
    ? work()
    : tellingHowFar(session.terminal, goneSoFar(meter), work));
  if (erased.enabledMeanwhile)
    throw failure(
      `${partnerId} was enabled meanwhile. Its data is gone, its keys stay: disable it and run again.`,
    );
  if (unknown && rows.total() === 0)
    throw failure(
      `No partner "${partnerId}" is known, and no row belongs to it: the command list shows all. If it was erased, name its offers with --offer.`,
    );
  const headline = `${dryRun ? 'Would delete' : 'Deleted'} ${counted(rows.total(), 'row')} of ${partnerId}.`;
  const again = ['erase', partnerId, ...erased.offerIds.map((id) => `--offer ${id}`)];
  return {
    text: `${headline}\n\n${rowsAndUnits(rows, meter)}

Not reached, because it is not in the table:
  queues        messages on their way, up to 4 days, 14 in dead-letter queues; what they still write, this removes:
                ${session.toRun(again.join(' '))}
  backups       every moment of the last 35 days, until they expire
  logs          ids and last four digits, until the stage's retention ends
  wallet        what the wallet platform has shown or keeps`,
    json: { partnerId, offerIds: erased.offerIds, dryRun, rows, units: meter.used },
  };
}

/** An argument that help does not show, because the command refuses it. */
export const neverGiven = '[none...]';

export function eraseRecipientCommand(run: Run) {
  return new Command('forget')
    .description('Deletes what is stored about a phone number, of all partners.')
    .argument(neverGiven)
    .usage('[options]')
    .option('--dry-run', 'Count what would change, change nothing')
    .addOption(rateOption)
    .addHelpText(
      'after',
      `
It prompts for the number, or reads it from standard input: shells, npm and its logs keep what a command line has.
Single messages to it go with their states and callbacks. In bulk sends it is overwritten. Both then answer as
messages that never were. Responses kept for an Idempotency-Key go too if they name the number; a repeat with the key
sends nothing again to the others. The whole table is read: 500 units read 2 MB a second, so 7 GB in an hour. It can
be repeated at any time, and after a restore it must be.`,
    )
    .action((given, options) => {
      // The error of a command without arguments would repeat the number.
      if (given.length > 0)
        throw usageError('The number must not be in the command line: type it when asked, or pipe it in.');
      return run(eraseRecipientOf)(options);
    });
}

async function readNumber({ ask, readPiped, printError }: Terminal): Promise<string> {
  if (readPiped) {
    // Without a word the command would seem to hang where the pipe is one that nobody has filled.
    printError('Reading the number from standard input.');
    return readPiped();
  }
  if (!ask) throw usageError('It prompts for the number, and there is no terminal: pipe it in.');
  return ask('The phone number: ');
}

async function readMsisdn(terminal: Terminal): Promise<number> {
  const text = (await readNumber(terminal)).trim();
  const msisdn = Number(text.replace(/^\+/, ''));
  if (/^\+?\d+$/.test(text) && Msisdn.safeParse(msisdn).success) return msisdn;
  // Do not repeat the text, which may be most of a phone number.
  throw usageError(
    'Write one number, as 7 to 15 digits with the country code and nothing between them: 79001234567.',
  );
}

function unreadable(damaged: readonly RowKey[]): string {
  const rows = damaged.map((row) => oneLine(`  ${rowId(row)}: ${remedyOf(row)}.`));
  const title = `${counted(damaged.length, 'row')} could not be read, and may hold the number. When each is put back or deleted, run this again:`;
  return [title, ...rows].join('\n');
}

async function eraseRecipientOf(session: Session, options: EraseOptions) {
  const { dryRun = false } = options;
  const msisdn = await readMsisdn(session.terminal);
  const end = msisdnEnd(msisdn);
  const consequence = `Everything about the number that ends in ${end} will be deleted, for good.`;
  if (!dryRun) await session.confirm(end, consequence, 'the last four digits of the number');
  const meter = capacityMeter(session.table, options.unitsPerSecond, session.terminal);
  const work = () => eraseRecipient(session.table, meter, { msisdn, dryRun });
  const { rows, damaged } = await (dryRun ? work() : tellingHowFar(session.terminal, goneSoFar(meter), work));
  const count = counted(rows.total(), 'row');
  const outcome = damaged.length > 0 ? 'erased in part' : 'erased';
  const headline = dryRun
    ? `Would delete or change ${count} about ...${end}.`
    : `...${end} is ${outcome}: ${count} deleted or changed.`;
  return {
    text: `${headline}\n\n${rowsAndUnits(rows, meter)}

Not reached:
  queues        messages on their way, up to 4 days, 14 in dead-letter queues: run it again when those are over
  backups       every moment of the last 35 days, until they expire
  logs          the last four digits, until the stage's retention ends
  wallet        it must unregister the number, or it will register it again; and what it keeps itself
  partners      what responses and callbacks told them; what they send to the number from now on`,
    json: { msisdnEnd: end, dryRun, rows, damaged: damaged.map(rowId), units: meter.used },
    failed: damaged.length > 0 ? unreadable(damaged) : undefined,
  };
}
