import { setTimeout as delay } from 'node:timers/promises';
import { placeStore } from '../../../shared/places/place-store.ts';
import { sessionSortKey, syncPartition } from '../../../shared/table/keys.ts';
import { type ApiCaller, type CallOutcome, callApi } from './api-call.ts';
import type { Connection } from './connection.ts';
import { entry, type Ledger } from './ledger.ts';
import { bodyOf, createListMaker, type MakeList, type PlaceList } from './place-lists.ts';
import { createPlacesModel, givenUpCount, type SessionEnd, wrongErrors } from './places-model.ts';
import type { Rng } from './rng.ts';

interface PlacesFlow {
  readonly offerId: string;
  readonly connection: Connection;
  readonly caller: Omit<ApiCaller, 'persistent'>;
  readonly rng: Rng;
  readonly maxPlaces: number;
  /** Whether another round may begin. */
  readonly isRunning: () => boolean;
}

interface SentList {
  readonly list: PlaceList;
  readonly outcome: CallOutcome;
  /** From the response. */
  readonly sessionId?: string;
}

interface Session {
  readonly sessionId: string;
  readonly startedAt: number;
  readonly sent: SentList;
}

interface SessionResponse {
  readonly status: string;
  readonly errors: readonly { readonly description: string }[];
  readonly warnings?: readonly string[];
}

const finishWithinMs = 120_000;
/** Calls of a killed function that are still in flight arrive within this time. */
const inFlightMs = 1_000;
const restMs = 500;

async function send(flow: PlacesFlow, list: PlaceList, persistent: boolean): Promise<SentList> {
  const outcome = await callApi({ ...flow.caller, persistent }, 'POST /places/sync', bodyOf(list));
  const { reply } = outcome;
  if (reply?.status !== 200) return { list, outcome };
  return { list, outcome, sessionId: (reply.body as { sessionId: string }).sessionId };
}

/** The errors of a session by the position of their place, or undefined when it does not finish. */
async function finish(
  flow: PlacesFlow,
  sessionId: string,
): Promise<{ errors: Map<number, string>; held: boolean } | undefined> {
  const deadline = performance.now() + finishWithinMs;
  while (performance.now() < deadline) {
    const { reply } = await callApi({ ...flow.caller, persistent: false }, `GET /places/sync/${sessionId}`);
    const session = reply?.status === 200 ? (reply.body as SessionResponse) : undefined;
    if (session?.status === 'FINISHED') {
      const errors = new Map(
        session.errors.map(({ description }) => [Number(/\d+/.exec(description)?.[0]), description]),
      );
      return { errors, held: session.warnings !== undefined };
    }
    await delay(100);
  }
  return undefined;
}

/** Sessions in the order in which their lists were accepted, including those whose id no response named. */
async function sessionsOf(
  { connection, offerId }: PlacesFlow,
  sent: readonly SentList[],
): Promise<Session[]> {
  const sessions: Session[] = [];
  const told = new Set(sent.map(({ sessionId }) => sessionId));
  const open = sent.filter(({ outcome, sessionId }) => outcome.uncertain || sessionId === undefined);
  if (open.length > 0) await delay(inFlightMs);
  const prefix = syncPartition(offerId, '');
  const rows = (await connection.rows(prefix)).filter(({ sk }) => sk === sessionSortKey);
  for (const { pk, startedAt, received } of rows) {
    const sessionId = pk.slice(prefix.length);
    const of = told.has(sessionId)
      ? sent.find((one) => one.sessionId === sessionId)
      : open.find(({ list }) => list.places.length === received);
    if (of) sessions.push({ sessionId, startedAt: Number(startedAt), sent: of });
  }
  return sessions.sort((a, b) => a.startedAt - b.startedAt);
}

async function storedNames({ connection, offerId }: PlacesFlow): Promise<Map<string, string>> {
  const store = placeStore(connection.table);
  const names = new Map<string, string>();
  let after: string | undefined = '';
  while (after !== undefined) {
    const { places, lastItemId }: Awaited<ReturnType<typeof store.page>> = await store.page(
      offerId,
      500,
      after,
    );
    for (const { itemId, placeInfo } of places) names.set(itemId, placeInfo.name ?? '');
    after = lastItemId;
  }
  return names;
}

interface RoundFindings {
  readonly counts: { lists: number; accepted: number; untold: number; givenUp: number; places: number };
  readonly unfinished: string[];
  readonly wrongErrors: string[];
  readonly differences: string[];
}

/** Sends overlapping lists, waits for their sessions, and compares the stored points with the model's. */
async function round(
  flow: PlacesFlow,
  makeList: MakeList,
  findings: RoundFindings,
  model: Model,
): Promise<void> {
  const { rng } = flow;
  const lists = Array.from({ length: rng.between(1, 4) }, makeList);
  const sent = await Promise.all(lists.map((list) => send(flow, list, rng.happens(0.7))));
  let sessions = await sessionsOf(flow, sent);
  // Only behind a list that finishes is it certain that nothing before it is still to come.
  if (sessions.length > 0 && sessions.at(-1)?.sent.sessionId !== sessions.at(-1)?.sessionId) {
    sent.push(await send(flow, makeList(), true));
    sessions = await sessionsOf(flow, sent);
  }
  const ends = new Map<string, SessionEnd>();
  for (const { sessionId, sent: of } of sessions) {
    if (of.sessionId !== sessionId) {
      findings.counts.untold += 1;
      ends.set(sessionId, { kind: 'unknown' });
      continue;
    }
    const end = await finish(flow, sessionId);
    if (!end) findings.unfinished.push(sessionId);
    else {
      findings.wrongErrors.push(...wrongErrors(of.list, end.errors));
      findings.counts.givenUp += givenUpCount(end.errors);
    }
    ends.set(sessionId, end ? { kind: 'finished', ...end } : { kind: 'unknown' });
  }
  for (const { sessionId, sent: of } of sessions)
    model.apply(of.list, ends.get(sessionId) ?? { kind: 'unknown' });
  const stored = await storedNames(flow);
  findings.differences.push(
    ...model.differences(stored).map((difference) => `${flow.offerId} ${difference}`),
  );
  findings.counts.lists += sent.length;
  findings.counts.accepted += sent.filter(({ sessionId }) => sessionId !== undefined).length;
  findings.counts.places += stored.size;
}

type Model = ReturnType<typeof createPlacesModel>;

/** Area A under faults: overlapping lists of one offer, round after round. */
export async function placesFlow(flow: PlacesFlow): Promise<Ledger> {
  const makeList = createListMaker(flow.offerId, flow.rng, flow.maxPlaces);
  const model = createPlacesModel();
  const findings: RoundFindings = {
    counts: { lists: 0, accepted: 0, untold: 0, givenUp: 0, places: 0 },
    unfinished: [],
    wrongErrors: [],
    differences: [],
  };
  do {
    await round(flow, makeList, findings, model);
    // Lists write more than everything else, and all flows share one engine.
    await delay(restMs);
  } while (flow.isRunning());
  const { lists, accepted, untold, givenUp, places } = findings.counts;
  return {
    entries: [
      entry('sessions that were answered are FINISHED', accepted, findings.unfinished),
      entry('errors of sessions name what was wrong', accepted, findings.wrongErrors),
      entry('service points are as the model says, after each round', places, findings.differences),
    ],
    figures: [
      { what: 'lists sent', value: lists },
      { what: 'sessions without a response', value: untold },
      { what: 'places given up ("send again")', value: givenUp },
    ],
  };
}
