import { syncSessionStore } from '../../../shared/places/sync-session-store.ts';
import { placesPartition, sessionSortKey, syncPartition } from '../../../shared/table/keys.ts';
import { createRng, type Rng } from '../core/rng.ts';
import { entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { Row, World } from '../world.ts';
import type { Actor } from './actor.ts';
import type { Outcome } from './client.ts';
import {
  absent,
  afterPartOf,
  type Element,
  judgeSession,
  type PlaceList,
  type Possible,
  type SessionEnd,
} from './expected-places.ts';
import type { SimulatedPartner } from './partners.ts';

/** A list that was sent, and what its partner knows of it. */
interface SentList extends PlaceList {
  readonly offerId: string;
  outcome?: Outcome;
  /** Of an answer 200. */
  sessionId?: string;
  /** What the partner read when it was FINISHED. */
  read?: SessionEnd;
}

/** Bytes of UTF-8 and units of UTF-16 sort these apart. */
function itemIdOf(n: number): string {
  return `${n % 7 === 0 ? '\u{1F37A}' : n % 5 === 0 ? '\uFF5E' : 'p'}${n}`;
}

function placeOf(itemId: string, name: string) {
  return { itemId, placeInfo: { name, address: 'Pyatnitskaya 1' } };
}

const nonsense = [
  null,
  7,
  {},
  { itemId: '' },
  { itemId: 7, placeInfo: { address: 'Pyatnitskaya 1' } },
] as const;

function elementOf(rng: Rng, n: number): Element {
  const itemId = itemIdOf(n);
  const name = rng.pick(['as ever', 'as ever', 'renamed', 'renamed again']);
  if (rng.happens(0.02)) return { kind: 'no address', itemId, place: { itemId, placeInfo: { name } } };
  if (rng.happens(0.004)) return { kind: 'too long', itemId, place: placeOf(itemId, 'x'.repeat(64_100)) };
  if (rng.happens(0.02)) return { kind: 'no itemId', place: rng.pick(nonsense) };
  return { kind: 'good', itemId, place: placeOf(itemId, name) };
}

/** Mostly the same places, some changed, some left out, some wrong, some given twice, in no order. */
function elementsOf(rng: Rng, count: number): Element[] {
  const from = rng.between(0, 8);
  const elements = Array.from({ length: count }, (_, n) =>
    elementOf(rng, rng.happens(0.04) ? from : from + n),
  );
  if (rng.happens(0.5)) elements.reverse();
  if (rng.happens(0.05)) return elements.map(() => ({ kind: 'no itemId', place: null }));
  return elements;
}

const pollsAtMost = 300;

/** Area A: partners send lists, several at once, and compare what came of them with rules 10 to 13 and 32. */
export function createPlaces(world: World): Actor {
  const { partners, request, time, queues, queueNamed } = world;
  const lists: SentList[] = [];
  /** Sessions of each offer as their first messages came into the queue: the order of acceptance. */
  const accepted = new Map<string, Set<string>>();
  const deadLettered = new Set<string>();
  const wrong = {
    unfinished: [] as string[],
    order: [] as string[],
    answers: [] as string[],
    points: [] as string[],
  };
  queues.queue(queueNamed('places-sync.fifo')).whenTaken((body) => {
    const { offerId, sessionId } = JSON.parse(body);
    const sessions = accepted.get(offerId) ?? new Set();
    accepted.set(offerId, sessions.add(sessionId));
  });
  queues.queue(queueNamed('places-sync-dlq.fifo')).whenTaken((body) => {
    deadLettered.add(JSON.parse(body).sessionId);
  });

  const readUntilFinished = async (
    list: SentList,
    { authorization }: SimulatedPartner,
    pauseMs: number,
  ): Promise<void> => {
    const { offerId, sessionId } = list;
    for (let n = 1; n <= pollsAtMost; n++) {
      const options = { authorization, offerId, persistent: false };
      const { response } = await request(`GET /places/sync/${sessionId}`, options);
      if (response?.status === 404) wrong.answers.push(`${sessionId} is not found`);
      if (response?.status === 200) {
        const { status, ...rest } = response.body as SessionEnd & { status: string };
        if (status === 'FINISHED') {
          const { counts, errors, warnings = [], dryRun = false } = rest;
          list.read = { counts, errors, warnings, dryRun };
          return;
        }
        if (rest.errors.length > 0 || rest.counts.received !== list.elements.length)
          wrong.answers.push(`${sessionId} says ${JSON.stringify(response.body)}`);
      }
      await time.sleep(pauseMs);
    }
  };

  /** The size of a list tells it apart from the others of its offer, also when no answer named its session. */
  const unusedSize = (offerId: string, wanted: number): number => {
    const used = new Set(
      lists.filter((one) => one.offerId === offerId).map(({ elements }) => elements.length),
    );
    let size = wanted;
    while (used.has(size)) size += 1;
    return size;
  };

  const send = async (partner: SimulatedPartner, rng: Rng, wanted: number): Promise<void> => {
    const [offerId] = partner.offerIds;
    const list: SentList = {
      offerId,
      elements: elementsOf(rng, unusedSize(offerId, wanted)),
      dryRun: rng.happens(0.15),
      confirmed: rng.happens(0.3),
    };
    lists.push(list);
    const options = { authorization: partner.authorization, offerId, persistent: rng.happens(0.7) };
    const pauseMs = rng.happens(0.5) ? rng.between(500, 20_000) : 0;
    const places = list.elements.map(({ place }) => place);
    const body = { places, dryRun: list.dryRun, confirmRemovals: list.confirmed };
    list.outcome = await request('POST /places/sync', options, body);
    const { response } = list.outcome;
    if (response?.status !== 200) return;
    list.sessionId = (response.body as { sessionId: string }).sessionId;
    if (pauseMs > 0) await readUntilFinished(list, partner, pauseMs);
  };

  const sendLists = async ({ who, size, variant }: Action): Promise<void> => {
    const partner = partners.partners[who] as SimulatedPartner;
    const rng = createRng('places', variant);
    for (let rounds = rng.between(1, 3); rounds > 0; rounds--) {
      const atOnce = rng.happens(0.4) ? rng.between(2, 4) : 1;
      const wanted = () => (rng.happens(0.3) ? rng.between(1, 6) : size + rng.between(0, 25));
      await Promise.all(Array.from({ length: atOnce }, () => send(partner, rng, wanted())));
      await time.sleep(rng.between(0, 60_000));
    }
  };

  const store = syncSessionStore(world.table);
  const endOf = async (offerId: string, sessionId: string): Promise<SessionEnd | undefined> => {
    const ref = { offerId, sessionId };
    const session = await store.find(ref, time.now());
    if (session?.status !== 'FINISHED') return undefined;
    const { counts, warnings, dryRun } = session;
    const errors = (await store.rejectedItems(ref)).map(({ place, description }) => ({ place, description }));
    return { counts, errors, warnings, dryRun };
  };

  /** The list of a session: of one that no answer named, the list of its size that may have been taken. */
  const listOf = (offerId: string, sessionId: string, rows: readonly Row[]): SentList | undefined => {
    const pk = syncPartition(offerId, sessionId);
    const received = rows.find((row) => row.pk === pk && row.sk === sessionSortKey)?.['received'];
    const ofSize = (one: SentList) => one.offerId === offerId && one.elements.length === received;
    return (
      lists.find((one) => one.sessionId === sessionId) ??
      lists.find((one) => ofSize(one) && one.outcome?.uncertain)
    );
  };

  /** What may be stored after a session, by what it says. */
  const judge = async (before: Possible, list: SentList, sessionId: string): Promise<Possible> => {
    const isTold = list.sessionId === sessionId;
    const end = await endOf(list.offerId, sessionId);
    if (!end) {
      if (isTold) wrong.unfinished.push(`${sessionId} of ${list.offerId}`);
      return afterPartOf(before, list);
    }
    const judgement = judgeSession(before, list, end);
    const add = (text: string) => wrong.answers.push(`${sessionId} of ${list.offerId}: ${text}`);
    judgement.wrong.forEach(add);
    if (isTold && judgement.givenUp && !deadLettered.has(sessionId)) add('given up without a dead letter');
    if (isTold && list.read && JSON.stringify(list.read) !== JSON.stringify(end))
      add(`was FINISHED, and changed: ${JSON.stringify([list.read, end])}`);
    return judgement.after;
  };

  /** Goes through the sessions of an offer in their order, and compares what is stored in the end. */
  const judgeOffer = async (offerId: string, rows: readonly Row[]): Promise<number> => {
    let possible: Possible = new Map();
    let latestStart = 0;
    for (const sessionId of accepted.get(offerId) ?? []) {
      const list = listOf(offerId, sessionId, rows);
      if (!list?.outcome) {
        wrong.order.push(`${sessionId} of ${offerId}: nobody sent it`);
        continue;
      }
      if (list.sessionId === sessionId && list.outcome.endedAt < latestStart)
        wrong.order.push(`${sessionId} of ${offerId} comes too late`);
      latestStart = Math.max(latestStart, list.outcome.startedAt);
      possible = await judge(possible, list, sessionId);
    }
    const ofOffer = rows.filter(({ pk }) => pk === placesPartition(offerId));
    const stored = new Map(ofOffer.map(({ sk, place }) => [sk, String(place)]));
    for (const itemId of new Set([...possible.keys(), ...stored.keys()])) {
      const found = stored.get(itemId) ?? absent;
      const allowed = possible.get(itemId) ?? new Set([absent]);
      if (!allowed.has(found))
        wrong.points.push(`${offerId} ${itemId}: "${found}" instead of "${[...allowed].join('" or "')}"`);
    }
    return stored.size;
  };

  return {
    does: { 'list of places': sendLists },
    ledger: async (rows) => {
      let points = 0;
      for (const { offerIds } of partners.partners) points += await judgeOffer(offerIds[0], rows);
      const told = lists.filter(({ sessionId }) => sessionId !== undefined);
      const sessions = [...accepted.values()].flatMap((some) => [...some]);
      const lost = told.filter(({ sessionId = '' }) => !sessions.includes(sessionId));
      const refused = lists.filter(({ outcome }) => {
        const { status, body } = outcome?.response ?? { status: 0, body: {} };
        const passes = (body as { status?: string }).status === 'SYNC_BEING_ACCEPTED';
        return !outcome?.uncertain && status !== 200 && !passes;
      });
      const texts = (some: readonly SentList[]) => some.map(({ outcome }) => JSON.stringify(outcome));
      return {
        entries: [
          entry('no valid list was refused', lists.length, texts(refused)),
          entry('lists that were accepted are in the queue', told.length, texts(lost)),
          entry('their sessions are FINISHED', told.length, wrong.unfinished),
          entry('sessions follow each other as their lists do', sessions.length, wrong.order),
          entry('sessions say what they did, as the rules say', sessions.length, wrong.answers),
          entry('each offer has the points of its lists, and no others', points, wrong.points),
        ],
        figures: {
          'lists sent': lists.length,
          'sessions without an answer': sessions.length - told.length,
          'sessions with dead letters': deadLettered.size,
        },
      };
    },
  };
}
