import { Command } from '@commander-js/extra-typings';
import { failure } from '../../../build/command-line.ts';
import { type Account, OfferId, PartnerId } from '../../../shared/partners/account.ts';
import { counted } from '../../cli/counted.ts';
import { listOf, matching } from '../../cli/option-values.ts';
import { capacityMeter, rateOption } from '../../data-lifecycle/capacity-meter.ts';
import { erasePartner } from '../../data-lifecycle/erase-partner.ts';
import { erasureReport, scanProgress } from '../../data-lifecycle/erasure-report.ts';
import { confirmPartner, type Report, type Run, type Session, yesOption } from '../session.ts';

export function erasePartnerCommand(run: Run) {
  return new Command('erase')
    .description('Deletes everything that is stored of a disabled partner.')
    .argument('<partnerId>', 'The partner, or one that was erased before', matching(PartnerId))
    .option(
      '--offer <id>',
      "Also what belongs to this offer, which was the partner's and is nobody's now; may be repeated",
      listOf(matching(OfferId)),
    )
    .option('--dry-run', 'Count what would be deleted, delete nothing')
    .addOption(yesOption)
    .addOption(rateOption)
    .addHelpText(
      'after',
      `
The partner must be disabled, and for at least 5 minutes: so long the gateway caches the authorizer's answer. The
whole table is read, since nothing else leads to all rows. Stopped in the middle, the same command goes on: what
leads to the partner goes last. Afterwards the same command with its offers removes what came out of queues since.
Recipients belong to the wallet platform, and stay.`,
    )
    .action((partnerId, options) => run((session) => erase(session, partnerId, options)));
}

interface Options {
  readonly offer?: readonly string[] | undefined;
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  readonly unitsPerSecond: number;
}

async function erase(session: Session, partnerId: string, options: Options): Promise<Report> {
  const { partners, table, terminal } = session;
  const { offer = [], dryRun = false } = options;
  const account = await partners.find(partnerId);
  if (account && !account.disabled && !dryRun)
    throw failure(`${partnerId} is enabled and may still write: disable it, and come back 5 minutes later.`);
  const unknown = account === undefined && offer.length === 0;
  const offerIds = await offersOf(session, partnerId, [...(account?.offerIds ?? []), ...offer]);
  if (!dryRun)
    await confirmPartner(session, options, { partnerId, consequence: warning(partnerId, unknown) });

  const meter = capacityMeter(table, options.unitsPerSecond);
  const progress = scanProgress(terminal);
  const login = loginOf(account);
  const erased = await erasePartner(table, meter, { partnerId, ...login, offerIds, dryRun, progress });
  terminal.progress?.('');
  if (erased.outcome === 'enabled meanwhile')
    throw failure(
      `${partnerId} was enabled meanwhile. Its data is gone, its account stays: disable it and run again.`,
    );
  const { rows } = erased;
  if (unknown && rows.total() === 0)
    throw failure(
      `No partner "${partnerId}" is known, and no row is of it: the command list shows all. If it was erased, name its offers with --offer.`,
    );
  const headline = `${dryRun ? 'Would delete' : 'Deleted'} ${counted(rows.total(), 'row')} of ${partnerId}.`;
  const notReached = notReachedOf(partnerId, erased.offerIds);
  return {
    text: erasureReport(rows, meter, { headline, notReached }),
    json: { partnerId, offerIds: erased.offerIds, dryRun, rows, units: meter.used },
  };
}

/** None may be another partner's by now. */
async function offersOf({ partners }: Session, partnerId: string, named: readonly string[]) {
  const offerIds = [...new Set(named)];
  const foreign = (await partners.offers(offerIds)).find((offer) => offer.partnerId !== partnerId);
  if (foreign) throw failure(`Offer ${foreign.offerId} belongs to another partner: nothing was deleted.`);
  return offerIds;
}

function loginOf(account: Account | undefined): { login?: string } {
  return account ? { login: account.login } : {};
}

function warning(partnerId: string, unknown: boolean): string {
  const doubt = unknown ? `No partner "${partnerId}" is known; rows of it may be there. ` : '';
  return `${doubt}Everything of ${partnerId} will be deleted, for good.`;
}

function notReachedOf(partnerId: string, offerIds: readonly string[]): string {
  const again = ['npm run partner -- erase', partnerId, ...offerIds.map((id) => `--offer ${id}`)].join(' ');
  return `Not reached, because it is not in the table:
  queues        messages on their way, up to 4 days, 14 in dead-letter queues; what they still write, this removes:
                ${again}
  backups       every moment of the last 35 days, until they expire
  logs          ids and last four digits, until the stage's retention ends
  wallet        what the wallet platform has shown or keeps`;
}
