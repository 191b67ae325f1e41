import type { Attempt } from '../../../shared/callbacks/attempt.ts';
import type { Selection } from '../../../shared/callbacks/callback-archive.ts';
import { type CallbackRow, CallbackStatus } from '../../../shared/callbacks/callback-row.ts';
import { writeInstant } from '../../cli/instant.ts';
import { plainTable } from '../../cli/plain-table.ts';
import type { Call, Command } from '../command.ts';
import { rangeOf, rangeOptions } from '../time-range.ts';
import { partnerOf } from '../whom.ts';

const usualLimit = 50;
const mostLimit = 100_000;

export const listCallbacks: Command = {
  name: 'callbacks list',
  operands: ['partnerId'],
  synopsis: '[--status S] [--since TIME] [--until TIME] [--limit N]',
  summary: 'Lists callbacks that were not delivered at once, with what became of them.',
  details:
    'A callback that was delivered at its first attempt left nothing to list. Others are kept for 30 days. A limit\n' +
    'keeps those that changed last; all of the partner are read to find them.',
  options: {
    status: {
      value: 'S',
      text: `Only these: ${CallbackStatus.options.join(', ')}; as often as needed`,
      repeatable: true,
    },
    ...rangeOptions,
    limit: { value: 'N', text: `How many at most, the latest ones (default ${usualLimit})` },
  },
  run: async (call) => {
    const { options } = call;
    const asked = options.oneOf('status', CallbackStatus.options);
    const statuses = asked.length > 0 ? asked : CallbackStatus.options;
    const limit = options.wholeNumber('limit', 1, mostLimit) ?? usualLimit;
    const range = rangeOf(options);
    const { partnerId } = await partnerOf(call);
    const { callbacks, more } = await latest(call, partnerId, { statuses, ...range }, limit);
    const shown = callbacks.map(shownOf);
    return {
      text: [
        shown.length === 0 ? `No such callbacks of ${partnerId} are kept.` : tableOf(shown),
        ...(more ? [`These are the latest ${limit} of more: narrow the time, or raise --limit.`] : []),
      ].join('\n\n'),
      json: { partnerId, callbacks: shown, more },
    };
  },
};

/** Rows stand in the order of their message ids, which says nothing about their time: so all are read. */
async function latest({ archive }: Call, partnerId: string, selection: Selection, limit: number) {
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
    changedAt: writeInstant(row.changedAt),
    tries: row.tries,
    ...(row.reason === undefined || row.status === 'waiting' ? {} : { reason: row.reason }),
    ...(row.dueAt === undefined ? {} : { dueAt: writeInstant(row.dueAt) }),
    attempts: row.attempts.map(({ at, ...attempt }) => ({ at: writeInstant(at), ...attempt })),
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
