import { Command } from '@commander-js/extra-typings';
import { usageError } from '../../../build/command-line.ts';
import { Msisdn } from '../../../shared/push/push-content.ts';
import { counted } from '../../cli/counted.ts';
import { confirm } from '../../cli/terminal.ts';
import { capacityMeter, rateOption } from '../../data-lifecycle/capacity-meter.ts';
import { eraseRecipient } from '../../data-lifecycle/erase-recipient.ts';
import { erasureReport, scanProgress } from '../../data-lifecycle/erasure-report.ts';
import type { Report, Run, Session } from '../session.ts';

const notReached = `Not reached:
  queues        messages on their way, up to 4 days, 14 in dead-letter queues: run it again when those are over
  backups       every moment of the last 35 days, until they expire
  logs          the last four digits, until the stage's retention ends
  wallet        it must unregister the number, or it will register it again; and what it keeps itself
  partners      what responses and callbacks told them; what they send to the number from now on`;

export function eraseRecipientCommand(run: Run) {
  return new Command('forget')
    .description('Deletes what is stored about a phone number, of all partners.')
    .argument('<msisdn>', 'The phone number', readMsisdn)
    .option('--dry-run', 'Count what would change, change nothing')
    .option('--yes', 'Go on without typing the last four digits of the number')
    .addOption(rateOption)
    .addHelpText(
      'after',
      `
Single messages to it go with their states and callbacks. In bulk sends it is overwritten. Both then answer as
messages that never were. Responses kept for an Idempotency-Key go too if they name the number: the same key would
send again. The whole table is read. It can be repeated at any time, and after a restore it must be.`,
    )
    .action((msisdn, options) => run((session) => erase(session, msisdn, options)));
}

function readMsisdn(text: string): number {
  const msisdn = Number(text.replace(/^\+/, ''));
  if (/^\+?\d+$/.test(text) && Msisdn.safeParse(msisdn).success) return msisdn;
  // Without the text, unlike other values: it may be most of somebody's number.
  throw usageError('msisdn must be a whole number of 7 to 15 digits.');
}

interface Options {
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  readonly unitsPerSecond: number;
}

async function erase({ table, terminal }: Session, msisdn: number, options: Options): Promise<Report> {
  const { dryRun = false, yes, unitsPerSecond } = options;
  const expected = String(msisdn).slice(-4);
  if (!dryRun && !yes) {
    const consequence = `Everything about the number that ends in ${expected} will be deleted, for good.`;
    await confirm(terminal, { consequence, expected, name: 'the last four digits of the number' });
  }
  const meter = capacityMeter(table, unitsPerSecond);
  const rows = await eraseRecipient(table, meter, { msisdn, dryRun, progress: scanProgress(terminal) });
  terminal.progress?.('');
  const count = counted(rows.total(), 'row');
  const headline = dryRun
    ? `Would delete ${count} about ...${expected}, or overwrite them in a part of a bulk send.`
    : `...${expected} is erased: ${count} deleted, or overwritten in a part of a bulk send.`;
  return {
    text: erasureReport(rows, meter, { headline, notReached }),
    json: { msisdnEnd: expected, dryRun, rows, units: meter.used },
  };
}
