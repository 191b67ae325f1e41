import { afterEach, expect, test } from 'vitest';
import type { Event } from '../../../shared/events/event.ts';
import { eventStore } from '../../../shared/events/event-store.ts';
import type { Table } from '../../../shared/platform/table/table.ts';
import { day, hour, minute } from '../../support/clock.ts';
import { callbacksRig } from '../callbacks/callbacks-rig.ts';
import { type LoopbackPartner, loopbackPartner, reply } from '../callbacks/loopback-partner.ts';
import { place, type SyncRig, syncRig } from '../places/sync-rig.ts';

type Told = Pick<Event, 'kind' | 'by' | 'data'>;

/** The events that GET /events shows the partner, oldest first. */
async function eventsIn(table: Table, nowMs: number): Promise<Told[]> {
  const { events } = await eventStore(table).page('bars', { limit: 100, nowMs });
  return events.map(({ kind, by, data }) => ({ kind, by, data })).reverse();
}

let partner: LoopbackPartner | undefined;
afterEach(async () => {
  await partner?.close();
  partner = undefined;
});

/** Attempts a callback at each of these times to a receiver that gives this response; then one more to one that is well. */
async function attempts(status: number, { waits, heals = false }: { waits: number[]; heals?: boolean }) {
  partner = await loopbackPartner();
  const rig = await callbacksRig();
  await rig.saveEndpoint(partner.url);
  partner.responses(reply(status));
  const attempt = async (n: number) => {
    await rig.change(`m${n}`);
    await rig.work();
    // Their retries would be attempts of their own.
    rig.records();
  };
  for (const [n, waitMs] of waits.entries()) {
    rig.clock.advance(waitMs);
    await attempt(n);
  }
  partner.responses(reply(200));
  if (heals) {
    rig.clock.advance(hour);
    await attempt(waits.length);
  }
  return eventsIn(rig.table, rig.clock.now() + minute);
}

async function lists(process: (rig: SyncRig) => Promise<unknown>) {
  const rig = await syncRig();
  await process(rig);
  return eventsIn(rig.table, rig.clock.now());
}

const points = Array.from({ length: 40 }, (_, n) => place(`p${n}`));
const finished: Told = {
  kind: 'list.finished',
  by: 'bars',
  data: { offerId: 'bars-of-moscow', sessionId: 'uuid-1', added: 40, updated: 0, removed: 0 },
};

const failing = { kind: 'endpoint.failing', data: { what: 'nothing was delivered for over 15 minutes' } };
const nearlyDisabled = {
  kind: 'endpoint.failing',
  data: { what: 'nothing was delivered for 4 days: a day later it is disabled' },
};
function disabled(reason: string): object {
  return { kind: 'endpoint.disabled', data: { what: `disabled: ${reason}`, reason } };
}
const fiveAtOnce = [0, 0, 0, 0, 0];

/** Each case makes the service do or find out something by itself, and names the events that must follow. */
const unasked: readonly [what: string, happen: () => Promise<Told[]>, told: object[]][] = [
  [
    'a receiver that answers 410 is disabled',
    () => attempts(410, { waits: [0] }),
    [disabled('answered 410')],
  ],
  [
    'a receiver fails for 20 minutes',
    () => attempts(500, { waits: [...fiveAtOnce, 20 * minute] }),
    [failing],
  ],
  [
    'a receiver recovers',
    () => attempts(500, { waits: [...fiveAtOnce, 20 * minute], heals: true }),
    [failing, { kind: 'endpoint.recovered', data: { what: 'what waited is delivered again' } }],
  ],
  [
    'a receiver that has failed for five days is disabled',
    () => attempts(500, { waits: [...fiveAtOnce, hour, hour, hour, 4 * day, day] }),
    [failing, nearlyDisabled, disabled('failing for 5 days')],
  ],
  [
    'a receiver that is seldom called fails for the fifth time after four days',
    () => attempts(500, { waits: [0, day, day, day, day + hour, hour] }),
    [nearlyDisabled],
  ],
  ['a list takes effect', () => lists((rig) => rig.sync(points)), [finished]],
  [
    'a list is held back',
    () =>
      lists(async (rig) => {
        await rig.sync(points);
        rig.clock.advance(1);
        await rig.sync(points.slice(0, 5));
      }),
    [finished, { kind: 'list.held', by: 'bars', data: { removalsHeld: 35, received: 5, rejected: 0 } }],
  ],
  [
    'a list is wholly rejected',
    () =>
      lists(async (rig) => {
        await rig.sync(points);
        rig.clock.advance(1);
        await rig.sync([{ id: 'p0' }, { id: 'p1' }]);
      }),
    [finished, { kind: 'list.held', by: 'bars', data: { removalsHeld: 40, received: 2, rejected: 2 } }],
  ],
  [
    'a list fails every time',
    () =>
      lists(async (rig) => {
        await rig.send({ places: points });
        await rig.deliver(await rig.queue.drain(), 1, rig.handlers.endFailed);
      }),
    [{ kind: 'list.failed', by: 'bars', data: { offerId: 'bars-of-moscow', sessionId: 'uuid-1' } }],
  ],
];

test.each(unasked)('rule 55: %s, and its event is there', async (_what, happen, told) => {
  const found = await happen();
  expect(found).toMatchObject(told);
  // Only a list has somebody behind it: the key that sent it.
  for (const { kind, by } of found)
    expect([kind, by]).toEqual([kind, kind.startsWith('list.') ? 'bars' : undefined]);
});
