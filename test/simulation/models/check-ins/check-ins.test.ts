import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ticket } from '../../../integration/check-ins/check-in-rig.ts';
import type { HttpResponse } from '../../../support/http.ts';
import { type Command, command, expectReached, runModel, timeLimitMs } from '../model-run.ts';
import {
  activeAt,
  type CheckIn,
  type CheckInModel,
  type CheckInWorld,
  newCheckInWorld,
  type Shop,
  shops,
} from './check-in-world.ts';

type CheckInCommand = Command<CheckInModel, CheckInWorld>;

const seen = { reopened: 0, races: 0, used: 0, expired: 0, passed: 0 };

const shop = fc.constantFrom(...shops);
const card = fc.constantFrom('1', '2', '3', '#', 'карта');

function at({ offerId, placeId }: Shop) {
  return `${offerId}/${placeId}`;
}

/** Takes the response to an open into the model: the check-in the card has there, or a new one. */
function opened(
  model: CheckInModel,
  { shop, card }: { shop: Shop; card: string },
  response: HttpResponse,
): CheckIn {
  expect(response.status).toBe(200);
  const ticket = response.body as Ticket;
  const own = activeAt(model, shop).find((one) => one.card === card);
  if (own) {
    seen.reopened += 1;
    expect(ticket).toEqual({
      checkinNumber: own.number,
      secretCode: own.code,
      expiresAt: new Date(own.untilMs).toISOString(),
    });
    return own;
  }
  const before = model.all.filter((one) => one.shop.offerId === shop.offerId).map(({ number }) => number);
  expect(ticket.checkinNumber).toBeGreaterThan(Math.max(0, ...before));
  expect(ticket.secretCode).toMatch(/^\d{4}$/);
  expect(activeAt(model, shop).map(({ code }) => code)).not.toContain(ticket.secretCode);
  expect(Date.parse(ticket.expiresAt)).toBe(model.nowMs + shop.livesMs);
  const { checkinNumber: number, secretCode: code } = ticket;
  const added = { number, code, card, shop, untilMs: model.nowMs + shop.livesMs, used: false };
  model.all.push(added);
  return added;
}

const open = fc.record({ shop, card }).map(
  (which): CheckInCommand =>
    command(`open ${at(which.shop)} ${which.card}`, async (model, world) => {
      opened(model, which, await world.open(which.shop, which.card));
    }),
);

/** One card at once, several times: all responses name one check-in. */
const openRace = fc.record({ shop, card, times: fc.integer({ min: 2, max: 4 }) }).map(
  ({ times, ...which }): CheckInCommand =>
    command(`open ${at(which.shop)} ${which.card} ${times} times at once`, async (model, world) => {
      seen.races += 1;
      const responses = await Promise.all(
        Array.from({ length: times }, () => world.open(which.shop, which.card)),
      );
      for (const response of responses) opened(model, which, response);
    }),
);

/** Different cards at once: no code twice. */
const openTogether = fc.record({ shop, cards: fc.uniqueArray(card, { minLength: 2, maxLength: 5 }) }).map(
  ({ shop, cards }): CheckInCommand =>
    command(`open ${at(shop)} ${cards} together`, async (model, world) => {
      const responses = await Promise.all(cards.map((card) => world.open(shop, card)));
      const tickets = responses.map((response, n) => ({ response, card: cards[n] ?? '' }));
      const numberOf = ({ response }: { response: HttpResponse }) => (response.body as Ticket).checkinNumber;
      for (const { response, card } of tickets.sort((a, b) => numberOf(a) - numberOf(b)))
        opened(model, { shop, card }, response);
    }),
);

const openNowhere = fc.record({ shop, card }).map(
  ({ shop, card }): CheckInCommand =>
    command(`open ${shop.offerId}/nowhere`, async (_, world) =>
      expect(await world.openUnknownPlace(shop, card)).toMatchObject({
        status: 404,
        body: { status: 'PLACE_NOT_FOUND' },
      }),
    ),
);

async function sameAsModel(model: CheckInModel, world: CheckInWorld, shop: Shop) {
  return expect(await world.list(shop)).toMatchObject({
    status: 200,
    body: activeAt(model, shop).map(({ number, code, card }) => ({
      checkinNumber: number,
      secretCode: code,
      cardNumber: card,
    })),
  });
}

const list = shop.map(
  (which): CheckInCommand => command(`list ${at(which)}`, (model, world) => sameAsModel(model, world, which)),
);

const spelling = fc.constantFrom<(number: number) => unknown>(
  (number) => number,
  String,
  (number) => String(number).padStart(6, '0'),
);

/** Registers a check-in there was (or one there was not), some times at once: it works at most once. */
const register = fc
  .record({ pick: fc.nat(40), spell: spelling, times: fc.integer({ min: 1, max: 3 }), shop })
  .map(
    ({ pick, spell, times, shop }): CheckInCommand =>
      command(`register #${pick} of ${shop.offerId} ${times} times at once`, async (model, world) => {
        const there = model.all.filter((one) => one.shop.offerId === shop.offerId);
        const one = there[pick % (there.length + 1)];
        const number = one?.number ?? Math.max(0, ...there.map((known) => known.number)) + 1_000_000;
        const responses = await Promise.all(
          Array.from({ length: times }, () => world.register(shop, spell(number))),
        );
        const winners = responses.filter(({ status }) => status === 200);
        const losers = responses.filter(({ status }) => status !== 200);
        const isActive = one !== undefined && !one.used && one.untilMs > model.nowMs;
        expect(winners).toHaveLength(isActive ? 1 : 0);
        const remembered = one !== undefined && model.nowMs < one.untilMs + 30 * 86_400_000;
        const loss = remembered ? [409, 'CHECKIN_NOT_ACTIVE'] : [404, 'CHECKIN_NOT_FOUND'];
        for (const { status, body } of losers)
          expect([status, (body as { status: string }).status]).toEqual(loss);
        if (!isActive) return;
        expect(winners[0]?.body).toEqual({
          checkinNumber: number,
          cardNumber: one.card,
          registeredAt: new Date(model.nowMs).toISOString(),
        });
        one.used = true;
        seen.used += 1;
        await sameAsModel(model, world, one.shop);
      }),
  );

/** The cash desk redeems a check-in while its card checks in again: the old one or a new one, never the used one twice. */
const registerWhileOpening = fc.record({ shop, card }).map(
  ({ shop, card }): CheckInCommand =>
    command(
      `register and open ${at(shop)} ${card} at once`,
      async (model, world) => {
        const own = activeAt(model, shop).find((one) => one.card === card);
        if (!own) return;
        seen.races += 1;
        const [used, again] = await Promise.all([world.register(shop, own.number), world.open(shop, card)]);
        expect(used.status).toBe(200);
        const gotTheOld = (again.body as Ticket).checkinNumber === own.number;
        if (gotTheOld) opened(model, { shop, card }, again);
        own.used = true;
        if (!gotTheOld) opened(model, { shop, card }, again);
        await sameAsModel(model, world, shop);
      },
      (model) => activeAt(model, shop).some((one) => one.card === card),
    ),
);

const pass = fc
  .oneof(
    fc.constantFrom(1, 1_000, 59_999, 60_000, 3_600_000, 7_199_999, 7_200_000, 30 * 86_400_000),
    fc.integer({ min: 1, max: 4_000_000 }),
  )
  .map(
    (ms): CheckInCommand =>
      command(`${ms} ms pass`, async (model, world) => {
        const before = shops.flatMap((shop) => activeAt(model, shop)).length;
        model.nowMs += ms;
        world.clock.advance(ms);
        seen.expired += before - shops.flatMap((shop) => activeAt(model, shop)).length;
      }),
  );

/** To the very millisecond at which some check-in ends, or the one before. */
const passToEnd = fc.record({ pick: fc.nat(20), early: fc.boolean() }).map(
  ({ pick, early }): CheckInCommand =>
    command(
      `to the end of #${pick}${early ? ', but 1 ms' : ''}`,
      async (model, world) => {
        const active = shops.flatMap((shop) => activeAt(model, shop));
        const one = active[pick % active.length];
        if (!one) return;
        model.nowMs = Math.max(model.nowMs, one.untilMs - (early ? 1 : 0));
        world.clock.set(model.nowMs);
        await sameAsModel(model, world, one.shop);
      },
      (model) => shops.some((shop) => activeAt(model, shop).length > 0),
    ),
);

const passNumbers = fc.record({ shop, count: fc.integer({ min: 9_990, max: 10_002 }) }).map(
  ({ shop, count }): CheckInCommand =>
    command(`${count} others check in at ${shop.offerId}`, async (_, world) => {
      await world.passNumbers(shop, count);
      seen.passed += 1;
    }),
);

test(
  'check-ins are there from their opening to their use or end, one a card and place, each used once',
  async () => {
    const executed = await runModel<CheckInModel, CheckInWorld>({
      name: 'check-ins',
      runs: 25,
      maxCommands: 60,
      commands: [
        open,
        open,
        openRace,
        openTogether,
        openNowhere,
        list,
        register,
        register,
        registerWhileOpening,
        pass,
        passToEnd,
        passNumbers,
      ],
      setup: async () => {
        const real = await newCheckInWorld();
        return { model: { all: [], nowMs: real.clock.now() }, real };
      },
      finish: async (model, world) => {
        for (const which of shops) await sameAsModel(model, world, which);
      },
    });
    expectReached({ ...seen, executed }, 10);
  },
  timeLimitMs,
);
