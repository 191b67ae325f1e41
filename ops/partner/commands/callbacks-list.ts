import { Command } from '@commander-js/extra-typings';
import { wholeNumber } from '../../../build/command-line.ts';
import type { Attempt } from '../../../shared/callbacks/attempt.ts';
import type { Selection } from '../../../shared/callbacks/callback-archive.ts';
import { type CallbackRow, CallbackStatus } from '../../../shared/callbacks/callback-row.ts';
import { formatTime } from '../../cli/iso-time.ts';
import { listOf, oneOf } from '../../cli/option-values.ts';
import { plainTable } from '../../cli/plain-table.ts';
import { findPartner } from '../lookups.ts';
import type { Run, Session } from '../session.ts';
import { rangeOf, sinceOption, untilOption } from '../time-range.ts';

const maxLimit = 100_000;

export function listCallbacks(run: Run) {
  return new Command('list')
    .description('Lists callbacks that were not delivered at once, with what became of them.')
    .argument('<partnerId>')
    .option(
      '--status <status>',
      `Only these: ${CallbackStatus.options.join(', ')}; may be repeated`,
      listOf(oneOf(CallbackStatus.options)),
    )
    .addOption(sinceOption)
    .addOption(untilOption)
    .option('--limit <n>', 'How many at most, the latest ones', wholeNumber(1, maxLimit), 50)
    .addHelpText(
      'after',
      `
A callback that was delivered at its first attempt left nothing to list. Others are kept for 30 days. A limit
keeps those that changed last; all of the partner are read to find them.`,
    )
    .action((partnerId, { status = CallbackStatus.options, limit, ...times }) => {
      const selection = { statuses: status, ...rangeOf(times) };
      return run(async (session) => {
        await findPartner(session, partnerId);
        const { callbacks, more } = await latest(session, partnerId, { selection, limit });
        const shown = callbacks.map(shownOf);
        return {
          text: [
            shown.length === 0 ? `No such callbacks of ${partnerId} are kept.` : tableOf(shown),
            ...(more ? [`These are the latest ${limit} of more: narrow the time, or raise --limit.`] : []),
          ].join('\n\n'),
          json: { partnerId, callbacks: shown, more },
        };
      });
    });
}

/** Rows are in the order of their message ids, which says nothing about their time: so all are read. */
async function latest(
  { archive }: Session,
  partnerId: string,
  { selection, limit }: { selection: Selection; limit: number },
) {
  let callbacks: CallbackRow[] = [];
  let more = false;
  let cursor: string | undefined;
  do {
    const page: { callbacks: CallbackRow[]; cursor?: string } = await archive.select(
      partnerId,
      selection,
      cursor,
    );
    callbacks = [...callbacks, ...page.callbacks].sort((a, b) => a.changedAt - b.changedAt);
    more ||= callbacks.length > limit;
    callbacks = callbacks.slice(-limit);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return { callbacks, more };
}

/** Without the phone number and what the partner sent along. */
function shownOf(row: CallbackRow) {
  return {
    messageId: row.messageId,
    state: row.state,
    status: row.status,
    changedAt: formatTime(row.changedAt),
    tries: row.tries,
    ...(row.reason === undefined || row.status === 'waiting' ? {} : { reason: row.reason }),
    ...(row.dueAt === undefined ? {} : { dueAt: formatTime(row.dueAt) }),
    attempts: row.attempts.map(({ at, ...attempt }) => ({ at: formatTime(at), ...attempt })),
  };
}

type Shown = ReturnType<typeof shownOf>;

function tableOf(callbacks: readonly Shown[]): string {
  return plainTable(
    ['MESSAGE', 'STATE', 'CHANGED', 'STATUS', 'TRIES', 'LAST ATTEMPT', 'NEXT'],
    callbacks.map((callback) => [
      callback.messageId,
      callback.state,
      callback.changedAt,
      callback.status,
      String(callback.tries),
      lastAttempt(callback),
      callback.dueAt ?? callback.reason ?? '',
    ]),
  );
}

function lastAttempt({ attempts }: Shown): string {
  const last = attempts.at(-1);
  return last ? `${last.at} ${outcomeOf(last)}` : '';
}

function outcomeOf({ httpStatus, error }: Pick<Attempt, 'httpStatus' | 'error'>): string {
  return String(httpStatus ?? error ?? '');
}
