import { setTimeout as delay } from 'node:timers/promises';
import type { Place } from '../../shared/places/place.ts';
import type { SyncCounts } from '../../shared/places/sync-session.ts';
import { moscowBars } from '../data/moscow-bars.ts';
import { request, type Speaker } from './client.ts';
import type { Narrator } from './narrator.ts';

type Session = {
  sessionId: string;
  status: string;
  errors: { place: unknown; description: string }[];
  counts: SyncCounts;
};

const deadlineMs = 60_000;
const pollMs = 100;

/** Area A on real data: the whole list, 40 changes to it, and the same list once more. */
export const syncAct = async (partner: Speaker, say: Narrator): Promise<void> => {
  say.act('A. A partner synchronises its service points (533 bars of Moscow)');
  const bars = moscowBars();
  const changed = withFortyChanges(bars);

  // Whatever was there before, the story begins with one point that then goes.
  await session(partner, 'a list of one, to begin from', [beginning], say);
  const first = await session(partner, 'the whole list', bars, say);
  say.expect('first session', first.counts, counts({ received: 533, added: 533, removed: 1 }));

  const second = await session(partner, '40 changes', changed, say);
  say.expect(
    'second session',
    second.counts,
    counts({ received: 533, added: 10, updated: 15, removed: 10, unchanged: 503, rejected: 5 }),
  );
  for (const { description } of second.errors) say.tell('partner', `rejected: ${description}`);

  const third = await session(partner, 'the same again', changed, say);
  say.expect('third session', third.counts, counts({ received: 533, unchanged: 528, rejected: 5 }));
};

const beginning: Place = { itemId: 'opening-soon', placeInfo: { address: 'Скоро открытие' } };

/** 10 points go, 15 get a new name, 5 lose their address (and are rejected), 10 are new. */
const withFortyChanges = (bars: readonly Place[]): unknown[] => [
  ...bars
    .slice(10, 25)
    .map((bar) => ({ ...bar, placeInfo: { ...bar.placeInfo, name: `${bar.placeInfo.name} (новое имя)` } })),
  ...bars.slice(25, 30).map(({ itemId, placeInfo: { name } }) => ({ itemId, placeInfo: { name } })),
  ...bars.slice(30),
  ...Array.from({ length: 10 }, (_, n) => ({
    itemId: `new-${n}`,
    placeInfo: { name: `Новый бар ${n}`, address: `Тверская улица, дом ${n + 1}` },
  })),
];

const counts = (part: Partial<SyncCounts>): SyncCounts => ({
  received: 0,
  added: 0,
  updated: 0,
  unchanged: 0,
  removed: 0,
  rejected: 0,
  ...part,
});

const session = async (
  partner: Speaker,
  what: string,
  places: unknown[],
  say: Narrator,
): Promise<Session> => {
  const startedAt = performance.now();
  const { status, body } = await request(partner, 'POST /places/sync', { places });
  say.expect(`${what}: accepted`, status, 200);
  const acceptedMs = Math.round(performance.now() - startedAt);
  say.tell('partner', `sends ${what} (${places.length} points): accepted in ${acceptedMs} ms`);
  const done = await finished(partner, body, say);
  const ms = Math.round(performance.now() - startedAt);
  const figures = Object.entries(done.counts).map(([name, count]) => `${name} ${count}`);
  say.tell('service', `FINISHED: ${figures.join(', ')}`);
  say.sum(`sync, ${what}`, `${ms} ms: ${figures.join(', ')}`);
  return done;
};

const finished = async (partner: Speaker, started: unknown, say: Narrator): Promise<Session> => {
  const { sessionId } = started as { sessionId: string };
  const deadline = performance.now() + deadlineMs;
  while (performance.now() < deadline) {
    const { body } = await request(partner, `GET /places/sync/${sessionId}`);
    const session = body as Session;
    if (session.status === 'FINISHED') return session;
    await delay(pollMs);
  }
  say.expect(`session ${sessionId} within ${deadlineMs / 1000} s`, 'PROCESSING', 'FINISHED');
  throw new Error('a session did not finish, the story ends here');
};
