import { expect, test } from 'vitest';
import { listEvents } from '../../../functions/events/list-events.ts';
import type { EventKind, NewEvent } from '../../../shared/events/event.ts';
import { eventStore } from '../../../shared/events/event-store.ts';
import { days } from '../../../shared/platform/runtime/clock.ts';
import { systemIds } from '../../../shared/platform/runtime/ids.ts';
import { putRow } from '../../../shared/platform/table/rows.ts';
import { addEvent } from '../../support/add-event.ts';
import { fakeClock, noon } from '../../support/clock.ts';
import { bakery, bars, call } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { readPages } from '../../support/read-pages.ts';
import { requestDeps } from '../../support/request-deps.ts';
import { newTable } from '../../support/table.ts';

async function eventsRig() {
  const table = await newTable();
  const clock = fakeClock();
  const events = eventStore(table);
  const handler = listEvents({ ...requestDeps(table, clock), events });
  const add = (event: NewEvent) => addEvent(table, 'bars', event);
  type Page = {
    events: { eventId: string; time: string; kind: EventKind; by?: string; data: object }[];
    cursor?: string;
  };
  const page = async (query: Record<string, string> = {}): Promise<Page> =>
    (await call(handler, { partner: bars, method: 'GET', query })).body as Page;
  return {
    table,
    clock,
    events,
    add,
    get: (query: Record<string, string> = {}, more: Partial<typeof bars> = {}) =>
      call(handler, { partner: { ...bars, ...more }, method: 'GET', query }),
    page,
    /** Reads all pages, and returns who caused the events of each. */
    pages: async (query: Record<string, string>) => {
      const all = await readPages((next) => page({ ...query, ...next }));
      return all.map(({ events: read }) => read.map(({ by }) => by));
    },
    /** Stores an event for each of the first `count` milliseconds, by a key with its number. */
    addMany: async (count: number, kindOf: (n: number) => EventKind) => {
      for (let n = 0; n < count; n++) await add({ kind: kindOf(n), by: `key-${n}`, atMs: noon + n });
    },
  };
}

const rig = inEachTest(eventsRig);

test('rule 55: events come newest first, with who did it and what, for 400 days, and to their partner alone', async () => {
  const added = { kind: 'promotion.updated', by: 'key-4', data: { promoId: 4 } } as const;
  await rig.add({ kind: 'promotion.updated', by: 'key-3', atMs: noon });
  await rig.add({ ...added, atMs: noon + 4 });
  const eventId = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const newest = { ...added, eventId, time: '2026-05-20T12:00:00.004Z' };
  expect((await rig.page()).events).toEqual([newest, expect.objectContaining({ by: 'key-3' })]);
  expect((await rig.get({}, bakery)).body).toEqual({ events: [] });
  rig.clock.set(noon + days(400));
  expect((await rig.page()).events).toEqual([newest]);
});

test('rule 55: pages of one kind miss none, also where other events lie between them', async () => {
  await rig.addMany(230, (n) => (n % 60 === 0 ? 'key.created' : 'promotion.updated'));
  const pages = await rig.pages({ kind: 'key.created', limit: '1' });
  expect(pages.flat()).toEqual(['key-180', 'key-120', 'key-60', 'key-0']);
  expect(pages.length).toBeLessThan(8);
});

test('rule 55: page by page come all events in the order of time, the notices of the endpoint among them', async () => {
  await rig.addMany(60, (n) => (n % 7 === 3 ? 'endpoint.changed' : 'send.scheduled'));
  const newestFirst = Array.from({ length: 60 }, (_, n) => `key-${59 - n}`);
  for (const limit of [1, 4, 59, 60]) {
    const pages = await rig.pages({ limit: String(limit) });
    expect(pages.flat()).toEqual(newestFirst);
    for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
  }
  const ofEndpoint = [59, 52, 45, 38, 31, 24, 17, 10, 3].map((n) => `key-${n}`);
  expect(await rig.pages({ kind: 'endpoint.changed', limit: '9' })).toEqual([ofEndpoint]);
});

test('rule 35: the newest 50 notices are found behind any number of other events', async () => {
  await rig.addMany(152, (n) => (n < 51 ? 'endpoint.disabled' : 'send.scheduled'));
  const notices = async (nowMs: number) => (await rig.events.notices('bars', nowMs)).map(({ by }) => by);
  const newest = Array.from({ length: 50 }, (_, n) => `key-${50 - n}`);
  expect(await notices(noon + 152)).toEqual(newest);
  expect(await notices(noon + days(400) + 49)).toEqual(['key-50']);
  expect(await notices(noon + days(400) + 50)).toEqual([]);
});

test('rule 55: after a rollback events of kinds that only the newer version knows are left out', async () => {
  const newer = (n: number, kind: string) => {
    const eventId = systemIds.uuidAt(noon + n);
    const sk = kind.startsWith('endpoint.') ? `notice#${eventId}` : eventId;
    return putRow(rig.table, { pk: 'EVENTS#bars', sk, eventId, at: noon + n, kind, by: `newer-${n}` });
  };
  await rig.add({ kind: 'key.created', by: 'oldest', atMs: noon });
  await rig.add({ kind: 'endpoint.enabled', by: 'notice', atMs: noon + 1 });
  for (let n = 2; n < 5; n++) await newer(n, 'card.lost');
  await newer(5, 'endpoint.moved');
  const lines = collectLines();
  const first = await rig.page({ limit: '3' });
  expect(first.events).toEqual([]);
  expect(lines).toMatchObject([{ code: 'ListEvents', events: 0, unknownKinds: 4 }]);
  const second = await rig.page({ limit: '3', cursor: first.cursor ?? '' });
  expect(second.events.map(({ by }) => by)).toEqual(['notice', 'oldest']);
  expect((await rig.events.notices('bars', noon + 9)).map(({ by }) => by)).toEqual(['notice']);
});
