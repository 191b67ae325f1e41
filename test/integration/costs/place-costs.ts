import type { ListOutcome } from '../../../shared/places/list-plan.ts';
import { PlaceInfo, placeStore, storedPlace } from '../../../shared/places/place.ts';
import { syncSessionStore } from '../../../shared/places/sync-session.ts';
import { systemIds } from '../../../shared/platform/runtime/ids.ts';
import type { TestTable } from '../../support/table.ts';
import { after, type CostCases, count, gzipVaries, noise, once, worst } from './cost-case.ts';
import { offerId } from './cost-partner.ts';

const finished = { added: 0, updated: 0, unchanged: 0, removed: 0 };

async function waitingSession(table: TestTable, inOffer: string, received = 1) {
  const session = { offerId: inOffer, sessionId: systemIds.uuidAt(Date.now()) };
  await syncSessionStore(table).begin({ ...session, received, dryRun: false, acceptedAt: Date.now() });
  return session;
}

type Told = Pick<ListOutcome, 'remarks' | 'changes'>;

/** Ends a session whose list was rejected as a whole. */
async function rejectedSession(
  table: TestTable,
  errors: number,
  { inOffer = offerId, ...told }: Told & { inOffer?: string },
): Promise<string> {
  const sessions = syncSessionStore(table);
  const session = await waitingSession(table, inOffer, errors);
  const rejected = count(errors).map((n) => ({
    place: { itemId: `bar-${n}`, placeInfo: { name: noise(200, n) } },
    description: `places[${n}].placeInfo.address: required`,
  }));
  const outcome = {
    counts: { ...finished, received: errors, rejected: errors },
    warnings: [],
    ...told,
    rejected,
  };
  await sessions.record(session, outcome, Date.now());
  await sessions.end(session, 'FINISHED');
  return session.sessionId;
}

/** 128 characters of four bytes, which gzip makes hardly smaller. */
function longId(n: number): string {
  return [...noise(128, n)]
    .map((one, at) => String.fromCodePoint(0x20000 + one.charCodeAt(0) * 300 + at))
    .join('');
}

/** 128 characters, most of which take seven bytes in the response of a function. */
function escapedId(n: number): string {
  return `${'\u0001'.repeat(120)}${String(n).padStart(8, '0')}`;
}

/** The most remarks and changes that a session has, each with an id. */
function mostTold(idOf: (n: number) => string): Told {
  const ids = (from: number) => count(100).map((n) => idOf(from + n));
  return {
    remarks: count(7).map((code) => ({
      code: 'COORDINATES_SWAPPED',
      count: 100_000,
      samples: count(10).map((n) => ({ itemId: idOf(10 * code + n), description: noise(150, n) })),
    })),
    changes: {
      added: ids(0),
      removed: ids(100),
      updated: ids(200).map((itemId) => ({ itemId, members: Object.keys(PlaceInfo.shape) })),
    },
  };
}

const longest = mostTold(longId);

const manyErrors = once((table) => rejectedSession(table, 20_000, longest));
const manyEscaped = once((table) => rejectedSession(table, 20_000, mostTold(escapedId)));

/** Points of 2 kB: as many as a page may have fill the megabyte that one call of the table reads. */
const largePoints = once((table) =>
  placeStore(table).apply(offerId, {
    put: count(500).map((n) =>
      storedPlace({
        itemId: String(n).padStart(128, '0'),
        placeInfo: { address: noise(900, n), schedule: noise(850, n) },
      }),
    ),
    remove: [],
  }),
);

const listedOffer = 'offer-01'.padEnd(64, '-');

const sendingOffer = 'offer-02'.padEnd(64, '-');

function twentySessions(inOffer: string) {
  return once(async (table) => {
    for (const _ of count(20)) await rejectedSession(table, 1, { inOffer, ...longest });
  });
}
const listedSessions = twentySessions(listedOffer);
const sessionsBefore = twentySessions(sendingOffer);

const page = { limit: '500' };

export const placeCosts: CostCases = {
  StartSync: [
    worst(
      'a list of 6 MB that gzip makes only a quarter smaller, so that it is stored in rows before its message',
      {
        read: 1,
        write: 4_400,
        atMost: gzipVaries,
        cpu: { ms: 600, because: 'it encodes 12 rows of 390 kB' },
      },
      () => ({
        body: {
          places: count(5_900).map((n) => ({ itemId: String(n), placeInfo: { address: noise(990, n) } })),
        },
      }),
    ),
    worst(
      'a list of 100,000 points, which counts as two requests, after sessions with the longest remarks of which the newest waits',
      { read: 33, write: 4, atMost: gzipVaries },
      async (table) => {
        await sessionsBefore(table);
        await waitingSession(table, sendingOffer);
        return {
          headers: { offerid: sendingOffer },
          body: {
            places: count(100_000).map((n) => ({ itemId: String(n), placeInfo: { address: 'Arbat' } })),
          },
        };
      },
    ),
  ],
  GetSync: [
    worst(
      '20,000 rejected elements, and the longest remarks and changes',
      { read: 360, write: 1, atMost: gzipVaries, isHeavy: true },
      async (table) => ({ path: { sessionId: await manyErrors(table) } }),
    ),
    worst(
      'as many rejected elements, and remarks and changes that take the most in a response',
      { read: 360, write: 1, atMost: gzipVaries, isHeavy: true },
      async (table) => ({ path: { sessionId: await manyEscaped(table) } }),
    ),
  ],
  ListSyncs: [
    worst(
      'as many sessions as it lists, with the longest remarks',
      { read: 33, atMost: gzipVaries },
      after(listedSessions, { headers: { offerid: listedOffer } }),
    ),
  ],
  ListPlaces: [
    worst(
      'a page of 500 points that fill a megabyte',
      { read: 128, write: 1 },
      after(largePoints, { query: page }),
    ),
  ],
  ListWalletPlaces: [
    worst(
      'a page of 500 points that fill a megabyte',
      { read: 128.5 },
      after(largePoints, { path: { offerId }, query: page }),
    ),
  ],
};
