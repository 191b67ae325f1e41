import type { Account } from '../../../shared/partners/account.ts';
import { OfferId, PartnerId } from '../../../shared/partners/account.ts';
import { UnknownRow } from '../../../shared/table/row-kinds.ts';
import { failed } from '../../cli/stop.ts';
import { erasePartner } from '../../data-lifecycle/erase-partner.ts';
import { meter, unitsLine } from '../../data-lifecycle/meter.ts';
import { tallyTable } from '../../data-lifecycle/tally.ts';
import { rateOf, rateOptions } from '../../data-lifecycle/unit-rate.ts';
import type { Call, Command } from '../command.ts';
import { checked, operand } from '../whom.ts';

function outOfReach(again: string): string {
  return `Not reached, because it is not in the table:
  queues        messages on their way, up to 4 days, 14 in dead-letter queues; what they still write, this removes:
                ${again}
  backups       every moment of the last 35 days, until they age out
  logs          ids and last four digits, until the stage's retention ends
  wallet        what the wallet platform has shown or keeps`;
}

export const eraseCommand: Command = {
  name: 'erase',
  operands: ['partnerId'],
  synopsis: '[--offer ID]... [--dry-run]',
  summary: 'Deletes everything that is stored of a disabled partner.',
  details: `The partner must be disabled, and at least 5 minutes ago: so long the gateway remembers whom it let in. The whole
table is read, since nothing else leads to all rows. Stopped in the middle, the same command goes on: what leads
to the partner goes last. Once it is gone, the same command with its offers removes what came out of queues since.
Recipients are the wallet platform's, and stay.`,
  options: {
    offer: {
      value: 'ID',
      repeatable: true,
      text: "Also what belongs to this offer, that was once the partner's and is nobody's now",
    },
    'dry-run': { text: 'Count what would be deleted, delete nothing' },
    ...rateOptions,
  },
  dangerous: (options) => !options.has('dry-run'),
  run: async (call) => {
    const { options, terminal, table } = call;
    const partnerId = checked(PartnerId, 'partnerId', operand(call, 0));
    const rate = rateOf(options);
    const account = await call.partners.find(partnerId);
    const dryRun = options.has('dry-run');
    if (account && !account.disabled && !dryRun)
      throw failed(`${partnerId} is enabled and may still write: disable it, and come back 5 minutes later.`);
    const offerIds = await offersOf(call, partnerId, account);
    const unknown = account === undefined && !options.has('offer');
    const doubt = unknown ? `No partner "${partnerId}" is known; rows of it may be there. ` : '';
    if (!dryRun)
      await call.confirm(partnerId, `${doubt}Everything of ${partnerId} will be deleted, for good.`);
    const metered = meter(table, rate);
    const erased = await erasePartner(table, metered, {
      partnerId,
      ...(account ? { login: account.login } : {}),
      offerIds,
      dryRun,
      progress: (seen, found) => terminal.progress?.(progressOf(seen, found)),
    }).catch((error: unknown) => {
      throw error instanceof UnknownRow ? failed(error.message) : error;
    });
    terminal.progress?.('');
    if (erased.outcome === 'enabled meanwhile')
      throw failed(
        `${partnerId} was enabled meanwhile. Its data is gone, its account stays: disable it and run again.`,
      );
    const { rows } = erased;
    if (unknown && rows.total() === 0)
      throw failed(
        `No partner "${partnerId}" is known, and no row is of it: the command list shows all. If it was erased, name its offers with --offer.`,
      );
    const again = [
      'npm run partner -- erase',
      partnerId,
      ...erased.offerIds.map((id) => `--offer ${id}`),
    ].join(' ');
    const count = `${rows.total().toLocaleString('en-US')} ${rows.total() === 1 ? 'row' : 'rows'}`;
    return {
      text: [
        dryRun ? `${count} of ${partnerId} would be deleted.` : `${count} of ${partnerId} are deleted.`,
        ...(rows.total() > 0 ? [tallyTable({ rows })] : []),
        unitsLine(metered),
        outOfReach(again),
      ].join('\n\n'),
      json: { partnerId, offerIds: erased.offerIds, dryRun, rows: rows.json(), units: metered.used },
    };
  },
};

function progressOf(seen: number, found: number): string {
  return `${seen.toLocaleString('en-US')} rows read, ${found.toLocaleString('en-US')} found`;
}

/** Those of the account and those that were named; none may be another partner's by now. */
async function offersOf({ partners, options }: Call, partnerId: string, account: Account | undefined) {
  const named = options.texts('offer').map((offerId) => checked(OfferId, '--offer', offerId));
  const offerIds = [...new Set([...(account?.offerIds ?? []), ...named])];
  const offers = await partners.offers(offerIds);
  const foreign = offers.find((offer) => offer.partnerId !== partnerId);
  if (foreign) throw failed(`Offer ${foreign.offerId} belongs to another partner: nothing was deleted.`);
  return offerIds;
}
