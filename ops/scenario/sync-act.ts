import type { SyncCounts } from '../../shared/places/sync-session.ts';
import { request, type Speaker } from './client.ts';
import { eventually, type Patience } from './eventually.ts';
import { expectStatus, type Narrator } from './narrator.ts';

/** A list of service points, and what must come of it. */
export type SentList = {
  what: string;
  places: readonly unknown[];
  /** Counts that are not named are 0; without any, nothing is expected of them. */
  counts?: Partial<SyncCounts>;
};

export type SyncScript = { title: string; lists: readonly SentList[]; patience: Patience };

type Session = {
  sessionId: string;
  status: string;
  errors: { place: unknown; description: string }[];
  counts: SyncCounts;
};

/** Area A: one list after the other, each followed until its session is FINISHED. */
export async function syncAct(partner: Speaker, script: SyncScript, say: Narrator): Promise<void> {
  say.act(script.title);
  for (const list of script.lists) {
    const { counts, errors } = await session(partner, list, script.patience, say);
    if (list.counts) say.expect(`${list.what}: counts`, counts, { ...none, ...list.counts });
    for (const { description } of errors.slice(0, 5)) say.tell('partner', `rejected: ${description}`);
  }
}

const none: SyncCounts = { received: 0, added: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 };

async function session(
  partner: Speaker,
  { what, places }: SentList,
  patience: Patience,
  say: Narrator,
): Promise<Session> {
  const startedAt = performance.now();
  const started = await request(partner, 'POST /places/sync', { places });
  expectStatus(say, `${what}: accepted`, started);
  const acceptedMs = Math.round(performance.now() - startedAt);
  say.tell('partner', `sends ${what} (${places.length} points): accepted in ${acceptedMs} ms`);
  const done = await finished(partner, (started.body as Session).sessionId, { what, patience }, say);
  const ms = Math.round(performance.now() - startedAt);
  const figures = Object.entries(done.counts).map(([name, count]) => `${name} ${count}`);
  say.tell('service', `FINISHED: ${figures.join(', ')}`);
  say.sum(`sync, ${what}`, `${ms} ms: ${figures.join(', ')}`);
  return done;
}

async function finished(
  partner: Speaker,
  sessionId: string,
  { what, patience }: { what: string; patience: Patience },
  say: Narrator,
): Promise<Session> {
  const reply = await eventually(
    () => request(partner, `GET /places/sync/${sessionId}`),
    ({ status, body }) => status !== 200 || (body as Session).status === 'FINISHED',
    patience,
  );
  expectStatus(say, `${what}: polled`, reply);
  const session = reply.body as Session;
  say.expect(`${what}: FINISHED within ${patience.seconds} s`, session.status, 'FINISHED');
  if (session.status !== 'FINISHED') throw new Error('a session did not finish, the story ends here');
  return session;
}
