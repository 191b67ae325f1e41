import { isDeepStrictEqual } from 'node:util';
import { placesPartition } from '../../../shared/platform/table/row-keys/places.ts';
import { createRng, type Rng } from '../core/rng.ts';
import { check, entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { Actor, World } from '../world.ts';
import type { Outcome } from './client.ts';
import {
  absent,
  type Element,
  judgeSession,
  noneOf,
  type OfferState,
  type PlaceList,
  type Possible,
  type Session,
  wrongChanges,
} from './expected-places.ts';
import type { SimulatedPartner } from './partners.ts';
import { elementsOf, newElements } from './sent-places.ts';

type SentList = PlaceList & {
  partner: SimulatedPartner;
  reads: Session[];
  outcome?: Outcome;
  sessionId?: string;
};

const readsAtMost = 300;

/** Area A: partners send lists, several at once, and check the outcome against rules 10 to 13 and 32. */
export function createPlaces({ partners, request, time, queues, rows: rowsNow }: World): Actor {
  const lists: SentList[] = [];
  /** Maps each session to its offer, in the order of acceptance: that of their messages in the queue. */
  const accepted = new Map<string, string>();
  const messages = new Map<string, string>();
  const deadLettered = new Set<string>();
  const deliveredInVain = new Set<string>();
  const both = ['places-sync.fifo', 'places-sync-dlq.fifo'].map(queues.queue);
  const [queue, dlq] = both as [(typeof both)[0], (typeof both)[0]];
  queue.onTaken = (body) => {
    const { sessionId, offerId } = JSON.parse(body);
    accepted.set(sessionId, offerId);
    messages.set(sessionId, body);
  };
  queue.onDeliveredInVain = (body) => {
    deliveredInVain.add(JSON.parse(body).sessionId);
  };
  dlq.onTaken = (body) => {
    deadLettered.add(JSON.parse(body).sessionId);
  };

  const ask = ({ authorization, offerId }: SimulatedPartner, route: string, body?: object) =>
    request(route, { authorization, offerId, persistent: true }, body);

  const unseen: string[] = [];
  /** The cash desk asks for a point of a list that has just taken effect. No later list may have removed it. */
  const useAtOnce = async ({ partner, elements, sessionId }: SentList): Promise<void> => {
    const itemId = String(elements.at(-1)?.itemId);
    const { response } = await ask(partner, `GET /partner/api/place/${encodeURIComponent(itemId)}/checkins`);
    const [latest] = [...accepted].findLast(([, offerId]) => offerId === partner.offerId) ?? [];
    if (response?.status === 404 && latest === sessionId) unseen.push(itemId);
  };

  const read = async (partner: SimulatedPartner, sessionId: string): Promise<Session> => {
    const { response } = await ask(partner, `GET /places/sync/${sessionId}`);
    return response?.body as Session;
  };

  /** Delivers every message again, as after a lost deletion or a redrive by an operator. That must have no effect. */
  const ends = new Map<string, string>();
  const deliverAgain = async (): Promise<void> => {
    dlq.onTaken = () => {};
    for (const partner of partners.all)
      for (const [sessionId, offerId] of accepted)
        if (offerId === partner.offerId) ends.set(sessionId, JSON.stringify(await read(partner, sessionId)));
    for (const one of both)
      for (const [sessionId, MessageBody] of messages)
        one.add({
          MessageBody,
          MessageGroupId: accepted.get(sessionId) ?? '',
          MessageDeduplicationId: `${sessionId} again`,
        });
    while (both.some(({ size }) => size() > 0)) await time.sleep(1_000);
  };

  const send = async (partner: SimulatedPartner, rng: Rng, elements: Element[]): Promise<void> => {
    const reads: Session[] = [];
    const dryRun = rng.happens(0.15);
    const confirmed = rng.happens(0.3);
    const list: SentList = { partner, elements, dryRun, confirmed, reads };
    lists.push(list);
    const pauseMs = rng.between(500, 20_000);
    const isRead = rng.happens(0.5);
    const places = elements.map(({ place }) => place);
    list.outcome = await ask(partner, 'POST /places/sync', { places, dryRun, confirmRemovals: confirmed });
    const { sessionId } = (list.outcome.response?.body ?? {}) as { sessionId?: string };
    if (sessionId === undefined) return;
    list.sessionId = sessionId;
    while (isRead && reads.length < readsAtMost && reads.at(-1)?.status !== 'FINISHED') {
      reads.push(await read(partner, sessionId));
      const last = reads.at(-1);
      if (last?.status === 'FINISHED' && last.errors.length === 0 && !dryRun) await useAtOnce(list);
      await time.sleep(pauseMs);
    }
  };

  const sendLists = async ({ who, size, variant }: Action): Promise<void> => {
    const rng = createRng('places', variant);
    for (let rounds = rng.between(1, 3); rounds > 0; rounds--) {
      const atOnce = rng.happens(0.4) ? rng.between(2, 4) : 1;
      const wanted = () => elementsOf(rng, rng.happens(0.3) ? rng.between(1, 6) : size + rng.between(0, 25));
      await Promise.all(Array.from({ length: atOnce }, () => send(partners.of(who), rng, wanted())));
      if (rng.happens(0.2)) {
        // The next list leaves out more than half of these, about 20: the number from which removals are blocked.
        const some = elementsOf(rng, rng.between(25, 39));
        await send(partners.of(who), rng, some);
        const kept = some.slice(0, -rng.between(19, 22));
        const list = [...kept, ...newElements(kept.length, rng.between(0, 30))];
        // What the first of them added must not make the removals that were held look like few.
        for (let times = rng.between(1, 4); times > 0; times--) await send(partners.of(who), rng, list);
      }
      await time.sleep(rng.between(0, 60_000));
    }
  };

  /** Returns the reads of a session that contradict its end: counts must not change once they are shown. */
  const contradictions = (
    { reads, elements }: SentList,
    end: Session,
    isGivenUp: boolean,
  ): readonly string[] => {
    const mayPrecede = ({ errors, counts }: Session): boolean => {
      if (errors.length > 0 || counts.received !== elements.length) return false;
      return (
        isGivenUp ||
        isDeepStrictEqual(counts, end.counts) ||
        isDeepStrictEqual(counts, noneOf(counts.received))
      );
    };
    return reads
      .filter((one) =>
        one.status === 'PROCESSING' ? !mayPrecede(one) : JSON.stringify(one) !== JSON.stringify(end),
      )
      .map((one) => `${JSON.stringify(one)} became ${JSON.stringify(end)}`);
  };

  const finished = new Set<string>();
  const wrong = { order: [] as string[], answers: [] as string[] };
  /** Goes through a partner's sessions in order, and returns what may be stored after them. */
  const judge = async (partner: SimulatedPartner): Promise<Possible> => {
    let state: OfferState = { possible: new Map() };
    let latestStart = 0;
    const own = lists.filter((list) => list.partner === partner);
    for (const [sessionId, offerId] of accepted) {
      if (offerId !== partner.offerId) continue;
      const end = await read(partner, sessionId);
      const told = own.find((list) => list.sessionId === sessionId);
      // A list may have two sessions if its first try died after it had begun one. No response names that one.
      const mayBeOf = (list: SentList): boolean =>
        told ? list === told : !!list.outcome?.uncertain && list.elements.length === end.counts?.received;
      const judged = own.filter(mayBeOf).map((list) => ({ list, ...judgeSession(state, list, end) }));
      const fitting = judged.find((one) => one.wrong.length === 0) ?? judged[0];
      const { startedAt = 0, endedAt = 0 } = fitting?.list.outcome ?? {};
      if (!fitting || (told && endedAt < latestStart)) wrong.order.push(sessionId);
      if (!fitting) continue;
      latestStart = Math.max(latestStart, startedAt);
      if (end.status === 'FINISHED') finished.add(sessionId);
      const { after, givenUp, wrong: unlike } = fitting;
      const texts = [...unlike, ...(told ? contradictions(told, end, givenUp) : [])];
      if (told && !givenUp) texts.push(...wrongChanges(state.possible, told, end));
      state = after;
      if (JSON.stringify(end) !== ends.get(sessionId)) texts.push(`was ${ends.get(sessionId)}`);
      // Twenty receives outlast every outage. Only a list whose every function was killed may be given up.
      const mayBeGivenUp = deadLettered.has(sessionId) && deliveredInVain.has(sessionId);
      if (givenUp && !mayBeGivenUp) texts.push('given up without a reason');
      for (const text of texts) wrong.answers.push(`${sessionId}: ${text}`);
    }
    return state.possible;
  };

  return {
    does: { 'list of places': sendLists },
    ledger: async () => {
      await time.letEnd(deliverAgain());
      const rows = await rowsNow();
      const unlike: string[] = [];
      let points = 0;
      for (const partner of partners.all) {
        const possible = await time.letEnd(judge(partner));
        const ofOffer = rows('service point').filter(({ pk }) => pk === placesPartition(partner.offerId));
        const stored = new Map(ofOffer.map(({ sk, place }) => [sk, String(place)]));
        points += stored.size;
        for (const itemId of new Set([...possible.keys(), ...stored.keys()])) {
          const found = stored.get(itemId) ?? absent;
          const allowed = possible.get(itemId) ?? [absent];
          const instead = `${itemId}: "${found}" instead of "${allowed.join('" or "')}"`;
          if (!allowed.includes(found)) unlike.push(`${partner.partnerId} ${instead}`);
        }
      }
      const sent = lists.map(({ sessionId, outcome }) => ({ sessionId, outcome }));
      type Sent = (typeof sent)[number];
      const isRefused = ({ sessionId, outcome }: Sent) => sessionId === undefined && !outcome?.uncertain;
      const isUnfinished = ({ sessionId }: Sent) => sessionId !== undefined && !finished.has(sessionId);
      return [
        check('rule 9: no valid list was refused', sent, isRefused),
        check('rule 12: lists that were accepted are in the queue, and FINISHED', sent, isUnfinished),
        entry('rule 11: sessions follow each other as their lists do', accepted.size, wrong.order),
        entry('rules 10, 12, 32 and 60: sessions say what they did', accepted.size, wrong.answers),
        entry('rule 10: a point is there once its list is finished', accepted.size, unseen),
        entry('rule 10: each offer has the points of its lists, and no others', points, unlike),
      ];
    },
  };
}
