import type { Options } from '../../cli/options.ts';
import { failed, wrongUsage } from '../../cli/stop.ts';
import type { Call, Command, Report } from '../command.ts';
import { rangeOf, rangeOptions } from '../time-range.ts';
import { endpointOf, partnerOf } from '../whom.ts';

export const replayCallbacks: Command = {
  name: 'callbacks replay',
  operands: ['partnerId'],
  synopsis: '(--message ID | [--skipped] [--since TIME] [--until TIME])',
  summary: 'Sends callbacks once more: those of a message, or those failed and skipped in a time.',
  details: `Each begins a schedule of its own, and is sent within two minutes or so. A callback delivered at its first attempt
left nothing to replay. Stopped in the middle, the same command goes on where it was.`,
  options: {
    message: { value: 'ID', text: 'Those of this message, delivered or not' },
    skipped: { text: 'Only skipped ones, not failed ones' },
    ...rangeOptions,
  },
  dangerous: (options) => !options.has('message'),
  run: async (call) => {
    const choose = readChoice(call.options);
    const { partnerId } = await partnerOf(call);
    const { status } = await endpointOf(call, partnerId);
    if (status === 'disabled') {
      throw failed(`Callbacks of ${partnerId} are disabled and would be skipped again: enable them first.`);
    }
    return 'messageId' in choose
      ? replayMessage(call, partnerId, choose.messageId)
      : replayMany(call, partnerId, choose);
  },
};

interface Many {
  readonly statuses: readonly ('skipped' | 'failed')[];
  readonly fromMs?: number;
  readonly toMs?: number;
}

function readChoice(options: Options): { readonly messageId: string } | Many {
  const messageId = options.text('message');
  const others = ['skipped', 'since', 'until'].filter(options.has);
  if (messageId !== undefined) {
    if (others.length === 0) return { messageId };
    throw wrongUsage(`--message and --${others[0]} exclude each other.`);
  }
  if (others.length === 0) throw wrongUsage('It needs --message, --skipped, or a time.');
  return { statuses: options.has('skipped') ? ['skipped'] : ['skipped', 'failed'], ...rangeOf(options) };
}

async function replayMessage(
  { archive, clock }: Call,
  partnerId: string,
  messageId: string,
): Promise<Report> {
  const rows = await archive.ofMessage(partnerId, messageId);
  if (rows.length === 0) {
    throw failed(`No callback of message ${messageId} is kept: unknown, too old, or delivered at once.`);
  }
  let replayed = 0;
  for (const row of rows) if (await archive.replay(row, clock.now())) replayed += 1;
  if (replayed === 0) throw failed(`What is kept of message ${messageId} waits to be sent already.`);
  return report(partnerId, replayed);
}

async function replayMany(call: Call, partnerId: string, selection: Many): Promise<Report> {
  const { archive, terminal, clock } = call;
  const count = await countOf(call, partnerId, selection);
  if (count === 0) return report(partnerId, 0);
  await call.confirm(partnerId, `${callbacks(count)} will be sent to ${partnerId} once more.`);
  const said = (replayed: number) =>
    terminal.progress?.(`${replayed.toLocaleString('en-US')} of ${callbacks(count)}`);
  const replayed = await archive.replayAll(partnerId, { ...selection, report: said }, clock.now());
  terminal.progress?.('');
  return report(partnerId, replayed);
}

async function countOf({ archive }: Call, partnerId: string, selection: Many): Promise<number> {
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

function callbacks(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'callback' : 'callbacks'}`;
}

function report(partnerId: string, replayed: number): Report {
  return {
    text:
      replayed === 0
        ? `There is nothing to replay to ${partnerId}.`
        : `${callbacks(replayed)} of ${partnerId} will be sent once more, within two minutes or so.`,
    json: { partnerId, replayed },
  };
}
