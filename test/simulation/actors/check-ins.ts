import type { CheckIn } from '../../../shared/check-ins/check-in.ts';
import { type CheckInCall, checkInSpecification, type Seen } from '../check-in-specification.ts';
import { maxSkewMs } from '../core/faults.ts';
import { createRng } from '../core/rng.ts';
import { entry } from '../ledger.ts';
import { contradictions, type Operation } from '../linearizable.ts';
import type { Action } from '../plan.ts';
import type { Actor, World } from '../world.ts';
import { codeOf, type Try } from './client.ts';
import type { SimulatedPartner } from './partners.ts';

const cards = ['7', '7#', 'карта', '9643907500000012'] as const;

const redemption = 'POST /partner/api/checkin/register';
const wrongCode = '0000';

/** The check-ins of one card at one place, with every request about them and its result. */
type Visit = {
  partner: SimulatedPartner;
  placeId: string;
  card: string;
  history: Operation<CheckInCall>[];
};

/** A check-in with the fields of all the responses that describe one. */
type Ticket = CheckIn & { expiresAt: string; registeredAt: string };

/** `call` is the operation that the request performs if it takes effect. */
type Asked = { persistent: boolean; body?: object; call?: CheckInCall };

function mayHaveEffect({ response }: Try): boolean {
  return !response || (response.status >= 500 && codeOf(response.body) !== 'PLACE_FULL');
}

/** Area B: card holders check in, and cash desks list and redeem, all concurrently. */
export function createCheckIns({ partners, request, time }: World): Actor {
  const visits = new Map<string, Visit>();
  const strange: string[] = [];
  /** Maps each number of an offer to the code, card and place with which it was first seen. */
  const numbers = new Map<string, string>();

  const visitOf = (partner: SimulatedPartner, placeId: string, card: string): Visit => {
    const key = `${partner.cafe.offerId} ${placeId} ${card}`;
    const known = visits.get(key) ?? { partner, placeId, card, history: [] };
    visits.set(key, known);
    return known;
  };

  const see = ({ partner, placeId }: Visit, { checkinNumber, secretCode, cardNumber }: Ticket): Seen => {
    const number = `${partner.cafe.offerId} ${checkinNumber}`;
    const isWhat = `${secretCode} of card ${cardNumber} at ${placeId}`;
    const before = numbers.get(number) ?? isWhat;
    numbers.set(number, before);
    if (before !== isWhat || !/^\d{4}$/.test(secretCode)) strange.push(`${number}: ${before}, ${isWhat}`);
    return { number: checkinNumber, code: secretCode };
  };

  /** Sends a request. If it is persistent or no try was lost, its response must be one that the contract allows. */
  const ask = async (route: string, { partner, history }: Visit, { persistent, body, call }: Asked) => {
    const { authorization, cafe } = partner;
    const outcome = await request(route, { authorization, offerId: cafe.offerId, persistent }, body);
    const { response, uncertain, tries } = outcome;
    const code = response?.status === 200 ? 'OK' : codeOf(response?.body);
    const isAnswer = /^(OK|CHECKIN_NOT_ACTIVE|CHECKIN_NOT_FOUND)$/.test(code);
    if (!isAnswer && (persistent || !uncertain)) strange.push(`${route}: ${JSON.stringify(response)}`);
    // Rule 5: a redemption with a response took effect once, whichever try made it. An opening may take effect per try.
    const isOne = persistent && isAnswer && call?.asks === 'redeem';
    for (const one of isOne ? [] : tries)
      if (call && mayHaveEffect(one)) history.push({ ...one, call, isCertain: false });
    return { ...outcome, answer: isAnswer ? code : undefined, told: response?.body };
  };

  const open = async (visit: Visit, persistent: boolean): Promise<number | undefined> => {
    const { partner, placeId, card, history } = visit;
    const call = { asks: 'open' as const };
    const body = { offerId: partner.cafe.offerId, placeId, cardNumber: card };
    const route = 'POST /wallet/check-ins';
    const { answer, told, ...outcome } = await ask(route, visit, { persistent, body, call });
    if (!answer) return undefined;
    const ticket = { ...(told as Ticket), cardNumber: card };
    const seen = { ...see(visit, ticket), until: Date.parse(ticket.expiresAt) };
    history.push({ ...outcome, call: { ...call, seen }, isCertain: true });
    return seen.number;
  };

  const list = async (visit: Visit): Promise<readonly Ticket[]> => {
    const { partner, placeId } = visit;
    const route = `GET /partner/api/place/${encodeURIComponent(placeId)}/checkins`;
    const { answer, told, tries } = await ask(route, visit, { persistent: true });
    if (!answer) return [];
    const listed = told as readonly Ticket[];
    const different = new Set(listed.flatMap(({ secretCode, cardNumber }) => [secretCode, cardNumber]));
    if (different.size < 2 * listed.length) strange.push(`one twice: ${JSON.stringify(listed)}`);
    for (const card of new Set([...cards, ...listed.map(({ cardNumber }) => cardNumber)])) {
      const of = visitOf(partner, placeId, card);
      const found = listed.find(({ cardNumber }) => cardNumber === card);
      const call = { asks: 'list' as const, seen: found && see(of, found) };
      of.history.push({ ...(tries.at(-1) as Try), call, isCertain: true });
    }
    return listed;
  };

  /** `isNamed`: the cash desk also says the place, and the code if it knows that. */
  const redeem = async (
    visit: Visit,
    number: number,
    { persistent, isNamed = false }: { persistent: boolean; isNamed?: boolean },
  ): Promise<void> => {
    const { partner, placeId, card, history } = visit;
    const call = { asks: 'redeem' as const, number };
    const secretCode = numbers.get(`${partner.cafe.offerId} ${number}`)?.slice(0, wrongCode.length);
    const body = { checkinNumber: number, ...(isNamed ? { placeId, secretCode } : {}) };
    const { answer, told, ...outcome } = await ask(redemption, visit, { persistent, body, call });
    if (answer) history.push({ ...outcome, call: { ...call, answer }, isCertain: true });
    if (answer !== 'OK') return;
    const { checkinNumber, cardNumber, registeredAt } = told as Ticket;
    const atMs = Date.parse(registeredAt);
    const isInTime = atMs >= outcome.startedAt - maxSkewMs && atMs <= outcome.endedAt + maxSkewMs;
    if (checkinNumber !== number || cardNumber !== card || !isInTime)
      strange.push(`redeeming ${number} of card ${card}: ${JSON.stringify(told)}`);
  };

  /** A cash desk mistypes a number, and the code or the place too: whosever the number is, or nobody's, it is not redeemed. */
  const mistype = async (
    { partner: { authorization, cafe } }: Visit,
    number: number,
    wrong: { secretCode: string } | { placeId: string },
  ): Promise<void> => {
    const { offerId } = cafe;
    if (numbers.get(`${offerId} ${number}`)?.startsWith(wrongCode)) return;
    const body = { checkinNumber: number, ...wrong };
    const { response } = await request(redemption, { authorization, offerId, persistent: true }, body);
    if (!/^CHECKIN_(MISMATCH|NOT_ACTIVE|NOT_FOUND)$/.test(codeOf(response?.body)))
      strange.push(`redeeming ${JSON.stringify(body)}: ${JSON.stringify(response)}`);
  };

  /** One visit: a card checks in once or more at once; then cash desks redeem, soon or near the check-in's end. */
  const comeIn = async (visit: Visit, { size, variant }: Action, round: number): Promise<void> => {
    const { partner, card } = visit;
    const rng = createRng('check-in', variant, card, round);
    const opens = Array.from({ length: rng.pick([1, 1, 2, 3]) }, () => open(visit, rng.happens(0.7)));
    if (rng.happens(0.5)) await list(visit);
    const told = await Promise.all(opens);
    const listed = (await list(visit)).find(({ cardNumber }) => cardNumber === card);
    const number = told.find((one) => one !== undefined) ?? listed?.checkinNumber;
    const aroundItsEnd = partner.cafe.lifetimeMs + rng.between(-4_000, 8_000);
    const wait = rng.pick([0, 0, rng.between(0, 60_000), aroundItsEnd, aroundItsEnd]);
    // A lifetime of hours is too long to wait for.
    if (wait < 1_200_000) await time.sleep(wait);
    if (number === undefined) return;
    // If a card checks in twice at once, nobody may have been given the number next to its own.
    const wrong = rng.pick([{ secretCode: wrongCode }, { placeId: 'elsewhere' }] as const);
    if (rng.happens(0.5)) await mistype(visit, Math.max(1, number + rng.pick([-1, 1])), wrong);
    const redeemOnce = () =>
      redeem(visit, number, { persistent: rng.happens(0.6), isNamed: rng.happens(0.5) });
    const desks: Promise<unknown>[] = Array.from({ length: 1 + (size % 4) }, redeemOnce);
    if (rng.happens(0.4)) desks.push(open(visit, rng.happens(0.7)));
    if (rng.happens(0.5)) desks.push(list(visit));
    await Promise.all(desks);
    await list(visit);
    if (rng.happens(0.5)) await redeem(visit, number, { persistent: true });
    if (rng.happens(0.2)) await redeem(visit, number + 1_000_000, { persistent: true, isNamed: true });
  };

  return {
    does: {
      'check-in': async (action) => {
        const partner = partners.of(action.who);
        const rng = createRng('check-in', action.variant);
        const placeId = rng.pick(partner.cafe.placeIds);
        const first = rng.between(0, cards.length);
        const here = cards.slice(first, first + 1 + (action.size % 3));
        for (let round = rng.between(1, 4); round > 0; round--)
          await Promise.all(here.map((card) => comeIn(visitOf(partner, placeId, card), action, round)));
      },
    },
    ledger: () => {
      const wrong = [...visits].flatMap(([where, { partner, history }]) =>
        contradictions(where, history, checkInSpecification(partner.cafe.lifetimeMs)),
      );
      return [
        entry('rules 14 and 16: check-ins behave as if requests came one at a time', visits.size, wrong),
        entry('rule 15: a number is one check-in, and answers are as agreed', numbers.size, strange),
      ];
    },
  };
}
