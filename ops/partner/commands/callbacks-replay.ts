import { Command, Option } from '@commander-js/extra-typings';
import { failure, usageError } from '../../../build/command-line.ts';
import { counted } from '../../cli/counted.ts';
import { findEndpoint, findPartner } from '../lookups.ts';
import { confirmPartner, type Report, type Run, type Session, yesOption } from '../session.ts';
import { rangeOf, sinceOption, untilOption } from '../time-range.ts';

export function replayCallbacks(run: Run) {
  return new Command('replay')
    .description('Sends callbacks again: those of a message, or those failed and skipped in a time.')
    .argument('<partnerId>')
    .addOption(
      new Option('--message <id>', 'Those of this message, delivered or not').conflicts([
        'skipped',
        'since',
        'until',
      ]),
    )
    .option('--skipped', 'Only skipped ones, not failed ones')
    .addOption(sinceOption)
    .addOption(untilOption)
    .addOption(yesOption)
    .addHelpText(
      'after',
      `
Each begins a schedule of its own, and is sent within two minutes or so. A callback delivered at its first attempt
left nothing to replay. Stopped in the middle, the same command goes on where it was. --message does not prompt.`,
    )
    .action((partnerId, { message, skipped, yes, ...times }) => {
      const range = rangeOf(times);
      if (message === undefined && !skipped && Object.keys(range).length === 0)
        throw usageError('It needs --message, --skipped, or a time.');
      const statuses: Many['statuses'] = skipped ? ['skipped'] : ['skipped', 'failed'];
      return run(async (session) => {
        await findPartner(session, partnerId);
        const { status } = await findEndpoint(session, partnerId);
        if (status === 'disabled') {
          throw failure(
            `Callbacks of ${partnerId} are disabled and would be skipped again: enable them first.`,
          );
        }
        return message === undefined
          ? replayMany(session, partnerId, { statuses, ...range, yes })
          : replayMessage(session, partnerId, message);
      });
    });
}

interface Many {
  readonly statuses: readonly ('skipped' | 'failed')[];
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly yes?: true | undefined;
}

async function replayMessage(
  { archive, clock }: Session,
  partnerId: string,
  messageId: string,
): Promise<Report> {
  const rows = await archive.ofMessage(partnerId, messageId);
  if (rows.length === 0) {
    throw failure(`No callback of message ${messageId} is kept: unknown, too old, or delivered at once.`);
  }
  let replayed = 0;
  for (const row of rows) if (await archive.replay(row, clock.now())) replayed += 1;
  if (replayed === 0) throw failure(`What is kept of message ${messageId} waits to be sent already.`);
  return report(partnerId, replayed);
}

async function replayMany(session: Session, partnerId: string, { yes, ...selection }: Many): Promise<Report> {
  const { archive, terminal, clock } = session;
  const count = await countOf(session, partnerId, selection);
  if (count === 0) return report(partnerId, 0);
  const callbacks = counted(count, 'callback');
  const consequence = `${callbacks} will be sent to ${partnerId} again.`;
  await confirmPartner(session, { yes }, { partnerId, consequence });
  const progress = (replayed: number) =>
    terminal.progress?.(`${replayed.toLocaleString('en-US')} of ${callbacks}`);
  const replayed = await archive.replayAll(partnerId, { ...selection, report: progress }, clock.now());
  terminal.progress?.('');
  return report(partnerId, replayed);
}

async function countOf({ archive }: Session, partnerId: string, selection: Many): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const page: { callbacks: unknown[]; cursor?: string } = await archive.select(
      partnerId,
      selection,
      cursor,
    );
    count += page.callbacks.length;
    cursor = page.cursor;
  } while (cursor !== undefined);
  return count;
}

function report(partnerId: string, replayed: number): Report {
  return {
    text:
      replayed === 0
        ? `There is nothing to replay to ${partnerId}.`
        : `${counted(replayed, 'callback')} of ${partnerId} will be sent again, within two minutes or so.`,
    json: { partnerId, replayed },
  };
}
