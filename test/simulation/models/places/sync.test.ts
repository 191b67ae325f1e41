import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SessionMessage } from '../../../../shared/places/slice-message.ts';
import type { FinishedSession } from '../../../integration/places/sync-rig.ts';
import { type Command, command, expectReached, runModel, timeLimitMs } from '../model-run.ts';
import { type Fault, titleOf } from '../table-faults.ts';
import { afterList, type Element, sentAs } from './expected-places.ts';
import {
  as,
  comeAgain,
  endAgain,
  endBatch,
  newSyncModel,
  newSyncWorld,
  noTrouble,
  type Offer,
  offers,
  type Seen,
  type SyncModel,
  type SyncWorld,
  type Trouble,
  workBatch,
} from './sync-world.ts';

type SyncCommand = Command<SyncModel, SyncWorld>;

const offer = fc.constantFrom(...offers);
// Few ids, so that they meet; in UTF-16 order the emoji would stand before the private use character.
const itemId = fc.constantFrom('a', 'a b', 'B', 'b', 'c', 'd', 'e', 'я', '\uE000', '\u{1F600}');
const element: fc.Arbitrary<Element> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({ kind: fc.constant('good'), itemId, name: fc.constantFrom('1', '2') }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('no address'), itemId }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('far too long'), itemId }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('no itemId'),
      sent: fc.constantFrom(null, 7, {}, { itemId: '' }, { itemId: 7, placeInfo: { address: 'x' } }),
    }),
  },
) as fc.Arbitrary<Element>;

/** Enough that a list without them removes at least 20 points. */
const manyMore = Array.from(
  { length: 24 },
  (_, n): Element => ({ kind: 'good', itemId: `many-${String(n).padStart(2, '0')}`, name: '1' }),
);

function faultWithin(calls: number): fc.Arbitrary<Fault> {
  return fc.record({
    kind: fc.constantFrom('refused', 'response lost', 'dies'),
    call: fc.integer({ min: 1, max: calls }),
  });
}

const trouble: fc.Arbitrary<Trouble> = fc.record({
  fault: fc.option(faultWithin(12), { nil: undefined, freq: 2 }),
  responseLost: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
});

function told({ fault, responseLost }: Trouble) {
  return `${titleOf(fault)}${responseLost ? ', response lost' : ''}`;
}

const send = fc
  .record({
    offerId: offer,
    list: fc.array(element, { minLength: 1, maxLength: 10 }),
    isLong: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    dryRun: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
    confirmed: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  })
  .map(({ offerId, list: short, isLong, dryRun, confirmed }): SyncCommand => {
    const list = isLong ? [...short, ...manyMore] : short;
    const options = `${isLong ? ' and many more' : ''}${dryRun ? ' dryRun' : ''}${confirmed ? ' confirmed' : ''}`;
    const title = `send ${offerId} ${JSON.stringify(short)}${options}`;
    return command(title, async (model, world) => {
      const response = await world.send(
        { places: list.map(sentAs), dryRun, confirmRemovals: confirmed },
        as(offerId),
      );
      expect(response.status).toBe(200);
      const { sessionId } = response.body as { sessionId: string };
      const session = { sessionId, offerId, list, dryRun, confirmed, failedSlices: [] };
      model.sessions.push(session);
      for (const record of await world.queue.drain()) {
        expect(SessionMessage.parse(JSON.parse(record.body)).sessionId).toBe(sessionId);
        model.backlog.push({ record, offerId, session, receives: 0 });
        model.seen.slices += 1;
      }
    });
  });

const work = fc
  .record({
    count: fc.integer({ min: 1, max: 10 }),
    offerId: fc.option(offer, { nil: undefined }),
    trouble,
  })
  .map((batch): SyncCommand => {
    const title = `work ${batch.count} of ${batch.offerId ?? 'both'}, ${told(batch.trouble)}`;
    return command(
      title,
      (model, world) => workBatch(model, world, batch),
      ({ backlog }) => backlog.length > 0,
    );
  });

/** The head of an offer's queue meets the same trouble until it is a dead letter, or done. */
const failForGood = fc
  .record({
    count: fc.integer({ min: 1, max: 4 }),
    offerId: offer,
    trouble: fc.record({ fault: faultWithin(5), responseLost: fc.constant(false) }),
  })
  .map((batch): SyncCommand => {
    const title = `work 5 times ${batch.count} of ${batch.offerId}, ${told(batch.trouble)}`;
    return command(
      title,
      async (model, world) => {
        for (let tries = 1; tries <= 5; tries++) await workBatch(model, world, batch);
      },
      ({ backlog }) => backlog.some(({ offerId }) => offerId === batch.offerId),
    );
  });

const end = fc.record({ count: fc.integer({ min: 1, max: 10 }), trouble }).map((batch): SyncCommand => {
  const title = `end ${batch.count}, ${told(batch.trouble)}`;
  return command(
    title,
    (model, world) => endBatch(model, world, batch),
    ({ dead }) => dead.length > 0,
  );
});

const again = fc.nat(50).map(
  (pick): SyncCommand =>
    command(
      `again ${pick}`,
      (model, world) => comeAgain(model, world, pick),
      ({ handled }) => handled.length > 0,
    ),
);
const endedAgain = fc.nat(50).map(
  (pick): SyncCommand =>
    command(
      `end again ${pick}`,
      (model, world) => endAgain(model, world, pick),
      ({ ended }) => ended.length > 0,
    ),
);

async function getSession(world: SyncWorld, { sessionId, offerId }: { sessionId: string; offerId: Offer }) {
  return (await world.get(sessionId, as(offerId))).body as FinishedSession;
}

const get = fc.nat(20).map(
  (pick): SyncCommand =>
    command(
      `get ${pick}`,
      async (model, world) => {
        const session = model.sessions[pick % model.sessions.length];
        if (!session) return;
        const waits = [...model.backlog, ...model.dead].some((waiting) => waiting.session === session);
        const { status, errors, counts } = await getSession(world, session);
        if (!waits) expect(status).toBe('FINISHED');
        if (status === 'PROCESSING') expect(errors).toEqual([]);
        expect(counts['received']).toBe(session.list.length);
      },
      ({ sessions }) => sessions.length > 0,
    ),
);

/** Lets everything come to its end, and compares. */
async function settle(model: SyncModel, world: SyncWorld): Promise<void> {
  while (model.backlog.length + model.dead.length > 0) {
    await endBatch(model, world, { count: 10, trouble: noTrouble });
    await workBatch(model, world, { count: 10, trouble: noTrouble });
  }
  for (const offerId of offers) {
    let stored: ReadonlyMap<string, string> = new Map();
    for (const session of model.sessions.filter((one) => one.offerId === offerId)) {
      const expected = afterList(stored, session);
      const { status, counts, errors, warnings = [] } = await getSession(world, session);
      const context = `${session.sessionId} of ${offerId}`;
      expect({ context, status, counts }).toEqual({ context, status: 'FINISHED', counts: expected.counts });
      const { removalsHeld: isHeld = 0 } = expected.counts;
      expect(warnings).toHaveLength(isHeld > 0 ? 1 : 0);
      if (isHeld > 0) {
        expect(warnings[0]).toContain(String(isHeld));
        expect(warnings[0]).toContain('"confirmRemovals"');
        model.seen.held += 1;
      }
      // A part that would only have removed points has no element to name.
      const emptyParts = session.failedSlices.filter(({ indexes }) => indexes.size === 0);
      const ofParts = errors.filter(({ description }) => /^places: part \d+ of the list/.test(description));
      expect(ofParts).toHaveLength(emptyParts.length);
      const ofElements = errors.filter((error) => !ofParts.includes(error));
      expect(ofElements.map(({ place }) => place)).toEqual(expected.errors.map(({ place }) => place));
      for (const [n, { description }] of ofElements.entries())
        expect(description).toContain(expected.errors[n]?.description);
      const { received = 0, added = 0, updated = 0, unchanged = 0, rejected = 0 } = counts;
      expect(added + updated + unchanged + rejected).toBe(received);
      if (!session.dryRun) stored = expected.stored;
    }
    expect(new Map((await world.stored(offerId)) as [string, string][])).toEqual(stored);
  }
}

test(
  'whatever becomes of slices, an offer holds what its lists say, and each session says what it did',
  async () => {
    const seen: Seen = { slices: 0, struck: 0, died: 0, held: 0, removalsDied: 0 };
    await runModel<SyncModel, SyncWorld>({
      name: 'sync sessions',
      runs: 25,
      maxCommands: 36,
      commands: [
        send,
        send,
        work,
        work,
        failForGood,
        end,
        again,
        endedAgain,
        get,
        fc.constant(command('settle', settle)),
      ],
      setup: async () => ({ model: newSyncModel(), real: await newSyncWorld() }),
      finish: async (model, world) => {
        await settle(model, world);
        seen.slices += model.seen.slices;
        seen.struck += model.seen.struck;
        seen.died += model.seen.died;
        seen.held += model.seen.held;
        seen.removalsDied += model.seen.removalsDied;
      },
    });
    expectReached(seen, 5);
  },
  timeLimitMs,
);
