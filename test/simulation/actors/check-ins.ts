import { type CheckInCall, checkInSpecification, type RedeemAnswer } from '../check-in-specification.ts';
import { createRng } from '../core/rng.ts';
import { entry } from '../ledger.ts';
import { checkHistory, type Operation } from '../linearizable.ts';
import type { Action } from '../plan.ts';
import type { World } from '../world.ts';
import { type Actor, letEnd } from './actor.ts';
import { codeOf, type Outcome, type Try } from './client.ts';
import type { SimulatedPartner } from './partners.ts';

const cards = ['7', '7#', 'карта', '9643907500000012'] as const;
/** Of the clock of an instance. */
const maxSkewMs = 2_000;
/** A function may run on without its gateway, and a call of its be made after it was given up. */
const effectWithinMs = 60_000;

/** Where a card checks in, and what was asked and told of that. */
interface Visit {
  readonly partner: SimulatedPartner;
  readonly placeId: string;
  readonly card: string;
  readonly history: Operation<CheckInCall>[];
}

interface Ticket {
  readonly checkinNumber: number;
  readonly secretCode: string;
  readonly expiresAt: string;
}
type Listed = Omit<Ticket, 'expiresAt'> & { readonly cardNumber: string };

const redeemAnswers: Readonly<Record<string, RedeemAnswer>> = {
  CHECKIN_NOT_ACTIVE: 'not active',
  CHECKIN_NOT_FOUND: 'unknown',
};

function clockDuring({ startedAt, endedAt }: Try) {
  return { from: startedAt - maxSkewMs, to: endedAt + maxSkewMs };
}

/** Something happened from the start of one try to the end of another, or may happen later. */
function during({ startedAt }: Try, { endedAt }: Try, call: CheckInCall, isCertain: boolean) {
  return { call, startedAt, endedAt: isCertain ? endedAt : endedAt + effectWithinMs, isCertain };
}

function mayHaveEffect({ response }: Try): boolean {
  return !response || (response.status >= 500 && codeOf(response.body) !== 'PLACE_FULL');
}

/** Area B: card holders check in, and cash desks list and redeem, all at once. */
export function createCheckIns(world: World): Actor {
  const { partners, request, time } = world;
  const visits = new Map<string, Visit>();
  const strange: string[] = [];
  /** What each number of an offer was seen to be. */
  const numbers = new Map<string, Set<string>>();
  const figures = { opened: 0, redeemed: 0, refused: 0 };

  const visitOf = (partner: SimulatedPartner, placeId: string, card: string): Visit => {
    const key = `${partner.cafe.offerId} ${placeId} ${card}`;
    const known = visits.get(key) ?? { partner, placeId, card, history: [] };
    visits.set(key, known);
    return known;
  };

  const saw = ({ partner, placeId }: Visit, { checkinNumber, secretCode, cardNumber }: Listed): void => {
    const number = `${partner.cafe.offerId} ${checkinNumber}`;
    const isWhat = `${secretCode} of card ${cardNumber} at ${placeId}`;
    numbers.set(number, (numbers.get(number) ?? new Set()).add(isWhat));
    if (!/^\d{4}$/.test(secretCode)) strange.push(`${number} has the code ${secretCode}`);
  };

  /** Whoever tries until there is an answer gets one, and every answer is one of the contract. */
  const unexpected = (what: string, { response, uncertain }: Outcome, persistent: boolean): void => {
    if (persistent || !uncertain)
      strange.push(`${what}: ${response?.status} ${JSON.stringify(response?.body)}`);
  };

  const open = async (visit: Visit, persistent: boolean): Promise<number | undefined> => {
    const { partner, placeId, card, history } = visit;
    const { offerId } = partner.cafe;
    const body = { offerId, placeId, cardNumber: card };
    const outcome = await request('POST /wallet/check-ins', { persistent }, body);
    const { response } = outcome;
    for (const one of outcome.tries) {
      const call = { asks: 'open' as const, clock: clockDuring(one) };
      if (mayHaveEffect(one)) history.push(during(one, one, call, false));
    }
    if (response?.status !== 200) {
      unexpected('opening', outcome, persistent);
      return undefined;
    }
    figures.opened += 1;
    const { checkinNumber, secretCode, expiresAt } = response.body as Ticket;
    saw(visit, { checkinNumber, secretCode, cardNumber: card });
    const told = { number: checkinNumber, code: secretCode, until: Date.parse(expiresAt) };
    history.push(
      during(outcome, outcome, { asks: 'open' as const, clock: clockDuring(outcome), told }, true),
    );
    return checkinNumber;
  };

  const list = async (partner: SimulatedPartner, placeId: string): Promise<readonly Listed[]> => {
    const { authorization, cafe } = partner;
    const route = `GET /partner/api/place/${encodeURIComponent(placeId)}/checkins`;
    const outcome = await request(route, { authorization, offerId: cafe.offerId, persistent: true });
    const last = outcome.tries.at(-1) ?? outcome;
    if (last.response?.status !== 200) {
      unexpected('listing', outcome, true);
      return [];
    }
    const listed = last.response.body as readonly Listed[];
    for (const one of listed) saw(visitOf(partner, placeId, one.cardNumber), one);
    for (const member of ['cardNumber', 'secretCode', 'checkinNumber'] as const) {
      const distinct = new Set(listed.map((one) => one[member])).size;
      if (distinct < listed.length) strange.push(`a list has one ${member} twice: ${JSON.stringify(listed)}`);
    }
    for (const card of new Set([...cards, ...listed.map(({ cardNumber }) => cardNumber)])) {
      const found = listed.find(({ cardNumber }) => cardNumber === card);
      const shown = found && { number: found.checkinNumber, code: found.secretCode };
      const call = { asks: 'list' as const, clock: clockDuring(last), shown };
      visitOf(partner, placeId, card).history.push(during(last, last, call, true));
    }
    return listed;
  };

  const redeem = async (visit: Visit, number: number, persistent: boolean): Promise<void> => {
    const { authorization, cafe } = visit.partner;
    const options = { authorization, offerId: cafe.offerId, persistent };
    const outcome = await request('POST /partner/api/checkin/register', options, { checkinNumber: number });
    const { response } = outcome;
    const clock = clockDuring(outcome);
    let answer = redeemAnswers[codeOf(response?.body)];
    if (response?.status === 200) {
      const { checkinNumber, cardNumber, registeredAt } = response.body as Record<string, unknown>;
      const atMs = Date.parse(String(registeredAt));
      const isRight = checkinNumber === number && cardNumber === visit.card;
      if (!isRight || !(atMs >= clock.from && atMs <= clock.to))
        strange.push(`redeeming ${number} of card ${visit.card}: ${JSON.stringify(response.body)}`);
      answer = 'redeemed';
    }
    if (!answer) unexpected('redeeming', outcome, persistent);
    if (answer === 'redeemed') figures.redeemed += 1;
    else figures.refused += 1;
    const call = { asks: 'redeem' as const, number, clock };
    visit.history.push(during(outcome, outcome, { ...call, answer }, answer !== undefined));
    // The first try may have redeemed it, removed its row and died: the next one is told 409.
    if (answer === 'not active')
      for (const one of outcome.tries)
        if (mayHaveEffect(one)) visit.history.push(during(one, one, call, false));
  };

  /** One card: opened once or more at once, then cash desks at once, soon or when its lifetime ends. */
  const comeIn = async (visit: Visit, { size, variant }: Action, round: number): Promise<void> => {
    const { partner, placeId, card } = visit;
    const rng = createRng('check-in', variant, card, round);
    const opens = Array.from({ length: rng.pick([1, 1, 2, 3]) }, () => open(visit, rng.happens(0.7)));
    if (rng.happens(0.5)) await list(partner, placeId);
    const told = await Promise.all(opens);
    const listed = (await list(partner, placeId)).find(({ cardNumber }) => cardNumber === card);
    const number = told.find((one) => one !== undefined) ?? listed?.checkinNumber;
    const { lifetimeMs } = partner.cafe;
    const aroundItsEnd = lifetimeMs + rng.between(-4_000, 8_000);
    const wait = rng.pick([0, 0, rng.between(0, 60_000), aroundItsEnd, aroundItsEnd]);
    if (wait < 1_200_000) await time.sleep(wait);
    if (number === undefined) return;
    const desks = Array.from({ length: 1 + (size % 4) }, () => redeem(visit, number, rng.happens(0.6)));
    if (rng.happens(0.4)) desks.push(open(visit, rng.happens(0.7)).then(() => undefined));
    if (rng.happens(0.5)) desks.push(list(partner, placeId).then(() => undefined));
    await Promise.all(desks);
    await list(partner, placeId);
    if (rng.happens(0.5)) await redeem(visit, number, true);
    if (rng.happens(0.2)) await redeem(visit, number + 1_000_000, true);
  };

  const wrongHistories = (): string[] =>
    [...visits].flatMap(([where, { partner, history }]) => {
      const verdict = checkHistory(history, checkInSpecification(partner.cafe.lifetimeMs));
      if (verdict.isLinearizable) return [];
      const stuck = verdict.stuck.map((one) => JSON.stringify(one)).join(' ');
      return [`${where}: no order of its ${history.length} operations; after ${verdict.after}: ${stuck}`];
    });

  return {
    does: {
      'check-in': async (action) => {
        const partner = partners.partners[action.who] as SimulatedPartner;
        const rng = createRng('check-in', action.variant);
        const placeId = rng.pick(partner.cafe.placeIds);
        const first = rng.between(0, cards.length);
        const here = cards.slice(first, first + 1 + (action.size % 3));
        for (let round = rng.between(1, 4); round > 0; round--)
          await Promise.all(here.map((card) => comeIn(visitOf(partner, placeId, card), action, round)));
      },
    },
    ledger: async () => {
      const places = partners.partners.flatMap((partner) =>
        partner.cafe.placeIds.map((placeId) => ({ partner, placeId })),
      );
      await letEnd(time, Promise.all(places.map(({ partner, placeId }) => list(partner, placeId))));
      const ambiguous = [...numbers].filter(([, what]) => what.size > 1);
      return {
        entries: [
          entry(
            'check-ins behave as if cash desks and wallets came one at a time',
            visits.size,
            wrongHistories(),
          ),
          entry('answers about check-ins are as the contract has them', figures.opened, strange),
          entry(
            'a number is one check-in of its offer',
            numbers.size,
            ambiguous.map(([number, what]) => `${number}: ${[...what].join(', ')}`),
          ),
        ],
        figures: { 'check-ins opened': figures.opened, 'check-ins redeemed': figures.redeemed },
      };
    },
  };
}
