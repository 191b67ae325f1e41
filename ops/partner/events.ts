import { sentenceOf } from '../../shared/events/alert.ts';
import { type Event, EventKind, shownEvent } from '../../shared/events/event.ts';
import { formatTime, plainTable } from '../cli/formats.ts';
import { numberOption, oneOf } from '../cli/option-values.ts';
import { partnerCommand, type Run, type Session } from './session.ts';

type Wanted = { kind?: EventKind | undefined; limit: number };

export function eventsCommand(run: Run) {
  const { options } = EventKind;
  return partnerCommand(
    'events',
    'Lists what changed or went wrong in the account of a partner, newest first, as GET /events does.',
    `Kinds: ${options.join(', ')}.`,
  )
    .option('--kind <kind>', 'Only events of this kind', oneOf(options))
    .addOption(numberOption('--limit <n>', 'How many at most, the newest ones', [1, 10_000]).default(50))
    .action((partnerId, wanted) => run(list)(partnerId, wanted));
}

async function list(session: Session, partnerId: string, { kind, limit }: Wanted) {
  await session.listKeys(partnerId);
  const found: Event[] = [];
  let after: string | undefined;
  do {
    const wanted = { limit: Math.min(100, limit - found.length), after, kind, nowMs: session.clock.now() };
    const { events, last } = await session.events.page(partnerId, wanted);
    found.push(...events);
    after = last;
  } while (after !== undefined && found.length < limit);
  const rows = found.map((event) => [
    formatTime(event.at),
    event.kind,
    event.by ?? 'the service',
    sentenceOf(event),
  ]);
  const text = rows.length > 0 ? plainTable(['Time', 'Kind', 'By', 'What'], rows) : 'No events.';
  return { text, json: { partnerId, events: found.map(shownEvent) } };
}
