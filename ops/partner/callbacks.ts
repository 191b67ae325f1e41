import { Option } from '@commander-js/extra-typings';
import type { TimeRange } from '../../shared/callbacks/listing/listed-index.ts';
import type { ListPosition } from '../../shared/callbacks/listing/logged-callbacks.ts';
import type { ReplaySelection } from '../../shared/callbacks/listing/replay.ts';
import { scheduledAttemptAt } from '../../shared/callbacks/listing/shown-callback.ts';
import { type CallbackRow, CallbackStatus } from '../../shared/callbacks/rows/callback-store.ts';
import { failure, usageError } from '../cli/command-line.ts';
import { counted, formatTime, plainTable } from '../cli/formats.ts';
import { listOf, numberOption, oneOf, time } from '../cli/option-values.ts';
import { partnerCommand, type Run, type Session } from './session.ts';

const timeFormat = '2026-05-20T12:00:00Z, or a date (midnight in UTC)';
const sinceOption = new Option(
  '--since <time>',
  `Only about states reached from then on: ${timeFormat}`,
).argParser(time);
const untilOption = new Option('--until <time>', 'Only about states reached before then').argParser(time);
const messageOption = new Option('--message <id>', 'Those of this message, delivered or not');
messageOption.conflicts(['status', 'since', 'until']);
const replayed = ['skipped', 'failed'] as const;
const statuses = CallbackStatus.options;

/** Selects callbacks by the time of their state: from `since` (included) to `until` (excluded). */
function rangeOf({ since, until }: { since?: number | undefined; until?: number | undefined }) {
  if (since !== undefined && until !== undefined && since >= until)
    throw usageError('--until must be after --since.');
  return { fromMs: since, toMs: until };
}

export function callbacksCommands(run: Run) {
  return [
    partnerCommand(
      'list',
      'Lists callbacks that were not delivered at once, with what became of them.',
      `Callbacks that their first attempt delivered are not among them: the partner lists these by GET /callbacks, where its
endpoint logs all. Others are kept for 30 days. A limit keeps those about the latest states.`,
    )
      .option('--status <status>', `${statuses.join(', ')}; may be repeated`, listOf(oneOf(statuses)))
      .addOption(sinceOption)
      .addOption(untilOption)
      .addOption(numberOption('--limit <n>', 'How many at most, the latest ones', [1, 100_000]).default(50))
      .action((partnerId, { status = statuses, limit, ...range }) =>
        run(list)(partnerId, limit, { statuses: status, ...rangeOf(range) }),
      ),
    partnerCommand(
      'replay',
      'Sends callbacks again: those of a message, or those that failed or were skipped in a period.',
      `Each begins a schedule of its own. They are sent from the next minute on, 5,000 a minute at most, or at the pace of
the endpoint. A callback delivered at its first attempt left nothing to replay. The limit of partners' own replays does
not apply. If the command was stopped, run it again: it continues. --message does not prompt.`,
    )
      .addOption(messageOption)
      .option('--status <status>', `Only those that are ${replayed.join(' or ')}`, oneOf(replayed))
      .addOption(sinceOption)
      .addOption(untilOption)
      .action((partnerId, { message, status, ...range }) => {
        if (message !== undefined) return run(replayMessage)(partnerId, message);
        if (status === undefined && range.since === undefined && range.until === undefined)
          throw usageError('It needs --message, --status, or a time.');
        return run(replayMany)(partnerId, { statuses: status ? [status] : replayed, ...rangeOf(range) });
      }),
  ];
}

type Listed = TimeRange & { statuses: readonly CallbackStatus[] };

const rowsAtOnce = 100;

async function list(session: Session, partnerId: string, limit: number, selection: Listed) {
  await session.findPartner(partnerId);
  const latest: CallbackRow[] = [];
  let after: ListPosition | undefined;
  do {
    const wanted = { ...selection, withLog: false, limit: rowsAtOnce, nowMs: session.clock.now(), after };
    const { callbacks, last } = await session.list.page(partnerId, wanted);
    latest.push(...callbacks.flatMap((one) => ('status' in one ? [one] : [])));
    after = last;
  } while (after && latest.length <= limit);
  const shown = latest.slice(0, limit).reverse().map(shownOf);
  const more = latest.length > limit;
  const table = shown.length === 0 ? `No such callbacks of ${partnerId} are kept.` : tableOf(shown);
  const rest = `These are the latest ${limit} of more: narrow the time, or raise --limit.`;
  return { text: more ? `${table}\n\n${rest}` : table, json: { partnerId, callbacks: shown, more } };
}

/** Leaves out what only the partner may see: the phone number, its utm, its endpoint's responses. */
function shownOf(row: CallbackRow) {
  const { messageId, state, status, tries, attempts } = row;
  const nextMs = scheduledAttemptAt(row);
  return {
    ...{ messageId, state, status, changedAt: formatTime(row.changedAt), tries },
    reason: status === 'waiting' ? undefined : row.reason,
    dueAt: nextMs === undefined ? undefined : formatTime(nextMs),
    attempts: attempts.map(({ at, response: _hidden, ...attempt }) => ({ at: formatTime(at), ...attempt })),
  };
}

function tableOf(callbacks: readonly ReturnType<typeof shownOf>[]): string {
  return plainTable(
    ['MESSAGE', 'STATE', 'REACHED', 'STATUS', 'TRIES', 'LAST ATTEMPT', 'NEXT'],
    callbacks.map(({ messageId, state, changedAt, status, tries, attempts, dueAt, reason }) => {
      const last = attempts.at(-1);
      const lastAttempt = last ? `${last.at} ${last.httpStatus ?? last.error ?? ''}` : '';
      return [messageId, state, changedAt, status, String(tries), lastAttempt, dueAt ?? reason ?? ''];
    }),
  );
}

async function findEnabled(session: Session, partnerId: string): Promise<void> {
  const { status } = await session.findEndpoint(partnerId);
  if (status === 'disabled')
    throw failure(`Callbacks of ${partnerId} are disabled and would be skipped again: enable them first.`);
}

async function replayMessage(session: Session, partnerId: string, messageId: string) {
  await findEnabled(session, partnerId);
  const kept = await session.replay.kept(partnerId, [messageId]);
  if (kept.length === 0)
    throw failure(`No callback of message ${messageId} is kept: unknown, too old, or delivered at once.`);
  const replayed = await session.replay.these(partnerId, kept);
  if (replayed === 0) throw failure(`What is kept of message ${messageId} waits to be sent already.`);
  return replayReport(partnerId, replayed);
}

async function replayMany(session: Session, partnerId: string, selection: ReplaySelection) {
  await findEnabled(session, partnerId);
  const { replay, terminal } = session;
  const count = await replay.count(partnerId, selection);
  if (count === 0) return replayReport(partnerId, 0);
  const callbacks = counted(count, 'callback');
  await session.confirm(partnerId, `${callbacks} will be sent to ${partnerId} again.`);
  try {
    const { replayed } = await replay.some(partnerId, selection, {
      report: (soFar) => terminal.progress?.(`${soFar.toLocaleString('en-US')} of ${callbacks}`),
    });
    return replayReport(partnerId, replayed);
  } finally {
    // An error must not follow on the same line.
    terminal.progress?.('');
  }
}

function replayReport(partnerId: string, replayed: number) {
  const sent = `${counted(replayed, 'callback')} of ${partnerId} will be sent again, from the next minute on.`;
  const none = `There is nothing to replay to ${partnerId}.`;
  return { text: replayed === 0 ? none : sent, json: { partnerId, replayed } };
}
