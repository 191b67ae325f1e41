import { Msisdn } from '../../../shared/push/push-content.ts';
import { UnknownRow } from '../../../shared/table/row-kinds.ts';
import { failed, wrongUsage } from '../../cli/stop.ts';
import { forgetNumber } from '../../data-lifecycle/erase-recipient.ts';
import { meter, unitsLine } from '../../data-lifecycle/meter.ts';
import { tallyTable } from '../../data-lifecycle/tally.ts';
import { rateOf, rateOptions } from '../../data-lifecycle/unit-rate.ts';
import type { Command } from '../command.ts';
import { operand } from '../whom.ts';

const outOfReach = `Not reached:
  queues        messages on their way, up to 4 days, 14 in dead-letter queues: run it once more when those are over
  backups       every moment of the last 35 days, until they age out
  logs          the last four digits, until the stage's retention ends
  wallet        it must unregister the number, or it will register it again; and what it keeps itself
  partners      what they were told in answers and callbacks; what they send to the number from now on`;

export const forgetCommand: Command = {
  name: 'forget',
  operands: ['msisdn'],
  synopsis: '[--dry-run]',
  summary: 'Deletes what is stored about a phone number, of all partners.',
  details: `Single messages to it go with their states and callbacks, in bulk sends it is overwritten, and both answer as
messages that never were. So do kept answers of bulk sends that name it: the same Idempotency-Key would send again.
The whole table is read. It can be repeated at any time, and after a restore it must be.`,
  options: { 'dry-run': { text: 'Count what would change, change nothing' }, ...rateOptions },
  dangerous: (options) => !options.has('dry-run'),
  asksFor: 'the last four digits of the number',
  run: async ({ operands, options, terminal, table, confirm }) => {
    const msisdn = numberOf(operand({ operands }, 0));
    const rate = rateOf(options);
    const dryRun = options.has('dry-run');
    const end = String(msisdn).slice(-4);
    if (!dryRun)
      await confirm(end, `Everything about the number that ends in ${end} will be deleted, for good.`);
    const metered = meter(table, rate);
    const rows = await forgetNumber(table, metered, {
      msisdn,
      dryRun,
      progress: (seen, found) =>
        terminal.progress?.(
          `${seen.toLocaleString('en-US')} rows read, ${found.toLocaleString('en-US')} found`,
        ),
    }).catch((error: unknown) => {
      throw error instanceof UnknownRow ? failed(error.message) : error;
    });
    terminal.progress?.('');
    const count = `${rows.total().toLocaleString('en-US')} ${rows.total() === 1 ? 'row' : 'rows'}`;
    return {
      text: [
        dryRun
          ? `${count} about ...${end} would be deleted, or overwritten in a part of a bulk send.`
          : `...${end} is forgotten: ${count} deleted, or overwritten in a part of a bulk send.`,
        ...(rows.total() > 0 ? [tallyTable({ rows })] : []),
        unitsLine(metered),
        outOfReach,
      ].join('\n\n'),
      json: { msisdnEnd: end, dryRun, rows: rows.json(), units: metered.used },
    };
  },
};

function numberOf(text: string): number {
  const msisdn = Number(text.replace(/^\+/, ''));
  if (/^\+?\d+$/.test(text) && Msisdn.safeParse(msisdn).success) return msisdn;
  throw wrongUsage('msisdn must be a whole number of 7 to 15 digits.');
}
