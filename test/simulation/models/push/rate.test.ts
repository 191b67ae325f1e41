import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sendBulk } from '../../../../functions/push/send-bulk.ts';
import { sendMessage } from '../../../../functions/push/send-message.ts';
import { rateWindow } from '../../../../shared/push/rate-window.ts';
import { content, pushRig } from '../../../integration/push/push-rig.ts';
import { bakery, bars, call, type HttpResponse } from '../../../support/http.ts';
import { type Command, command, expectReached, runModel, timeLimitMs } from '../model-run.ts';

const partners = { bars, bakery };
type Partner = keyof typeof partners;
const partnerIds = ['bars', 'bakery'] as const;

/** The model: what each partner was let through in this minute, over all instances. */
type RateModel = { limit: number; instances: number; nowMs: number; accepted: Record<Partner, number> };

const mostInstances = 3;

/** Instances of the functions over one table: each has a lease memory of its own. */
async function newRateWorld() {
  const { table, deps, clock } = await pushRig();
  const handlers = Array.from({ length: mostInstances }, () => {
    const own = { ...deps, rate: rateWindow(table, clock) };
    return { single: sendMessage(own), bulk: sendBulk(own) };
  });
  return { clock, handlers };
}

type RateWorld = Awaited<ReturnType<typeof newRateWorld>>;
type RateCommand = Command<RateModel, RateWorld>;

type Ask = { instance: number; partner: Partner; share: number };

const seen = { accepted: 0, refused: 0, singles: 0, together: 0, exactlyFull: 0, afterMinute: 0 };

/** At least 1; up to a little more than the limit. */
function sizeOf({ limit }: RateModel, { share }: Ask): number {
  return Math.max(1, Math.round(limit * share));
}

function send(
  { handlers }: RateWorld,
  { instance, partner }: Ask,
  { model, size }: Sized,
): Promise<HttpResponse> {
  const { limit: pushesPerMinute, instances } = model;
  const handler = handlers[instance % instances];
  const request = { partner: { ...partners[partner], limits: { pushesPerMinute } } };
  const msisdn = Array.from({ length: size }, (_, n) => 79_000_000_000 + n);
  return size === 1
    ? call(handler?.single, { ...request, body: { ...content, msisdn: msisdn[0] } })
    : call(handler?.bulk, { ...request, body: { ...content, msisdn } });
}

type Sized = { model: RateModel; size: number };

/** Whole or not at all, with headers that add up; returns whether it was let through. */
function passed(model: RateModel, size: number, { status, headers, body }: HttpResponse): boolean {
  const secondsLeft = Math.ceil((60_000 - (model.nowMs % 60_000)) / 1_000);
  expect(headers['ratelimit-policy']).toBe(`"recipients";q=${model.limit};w=60`);
  const [, remaining = '', seconds] =
    /^"recipients";r=(-?\d+);t=(\d+)$/.exec(headers['ratelimit'] ?? '') ?? [];
  expect(Number(remaining)).toBeGreaterThanOrEqual(0);
  expect(Number(remaining)).toBeLessThanOrEqual(model.limit);
  expect(Number(seconds)).toBe(secondsLeft);
  if (status === 200) {
    if (size > 1) expect(body).toHaveLength(size);
    seen.accepted += 1;
    return true;
  }
  seen.refused += 1;
  expect(headers['retry-after']).toBe(String(secondsLeft));
  if (size === 1) {
    seen.singles += 1;
    expect([status, body]).toEqual([429, '']);
  } else {
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: 'RATE_LIMIT_EXCEEDED' });
  }
  return false;
}

function count(model: RateModel, partner: Partner, size: number): void {
  model.accepted[partner] += size;
  expect(model.accepted[partner]).toBeLessThanOrEqual(model.limit);
  if (model.accepted[partner] === model.limit) seen.exactlyFull += 1;
}

/**
 * Nobody is refused without need: what an instance holds unused is less than one block, a thousandth of the
 * limit, so a request that fits beside what all others may hold must pass.
 */
function mustPass(model: RateModel, partner: Partner, size: number): boolean {
  return (
    model.accepted[partner] + size + (model.instances - 1) * (Math.ceil(model.limit / 1_000) - 1) <=
    model.limit
  );
}

const share = fc.oneof(
  fc.constantFrom(0, 0, 0, 0.001, 0.25, 0.5, 0.999, 1, 1.01),
  fc.double({ min: 0, max: 0.3, noNaN: true }),
);
const ask: fc.Arbitrary<Ask> = fc.record({
  instance: fc.nat(mostInstances - 1),
  partner: fc.constantFrom(...partnerIds),
  share,
});

const one = ask.map(
  (which): RateCommand =>
    command(`${which.partner} sends ${which.share} by ${which.instance}`, async (model, world) => {
      const size = sizeOf(model, which);
      const isDue = mustPass(model, which.partner, size);
      const wentThrough = passed(model, size, await send(world, which, { model, size }));
      if (isDue) expect(wentThrough).toBe(true);
      if (wentThrough) count(model, which.partner, size);
    }),
);

/** What is left, to the last recipient. */
const rest = fc.record({ instance: fc.nat(mostInstances - 1), partner: fc.constantFrom(...partnerIds) }).map(
  (which): RateCommand =>
    command(
      `${which.partner} sends what is left by ${which.instance}`,
      async (model, world) => {
        const size = model.limit - model.accepted[which.partner];
        const asked = { ...which, share: size / model.limit };
        const isDue = mustPass(model, which.partner, size);
        const wentThrough = passed(model, size, await send(world, asked, { model, size }));
        if (isDue) expect(wentThrough).toBe(true);
        if (wentThrough) count(model, which.partner, size);
      },
      (model) => model.accepted[which.partner] < model.limit,
    ),
);

/** An instance has one request at a time. */
const together = fc.uniqueArray(ask, { minLength: 2, selector: ({ instance }) => instance }).map(
  (asks): RateCommand =>
    command(`together ${asks.map(({ partner, share }) => `${partner} ${share}`)}`, async (model, world) => {
      seen.together += 1;
      const sized = asks.slice(0, model.instances).map((which) => ({ which, size: sizeOf(model, which) }));
      const responses = await Promise.all(
        sized.map(({ which, size }) => send(world, which, { model, size })),
      );
      for (const [n, { which, size }] of sized.entries()) {
        const response = responses[n];
        if (response && passed(model, size, response)) count(model, which.partner, size);
      }
    }),
);

const pass = fc.constantFrom(1, 1_000, 30_000, 59_999, 60_000, 61_000).map(
  (ms): RateCommand =>
    command(`${ms} ms pass`, async (model, world) => {
      const minute = Math.floor(model.nowMs / 60_000);
      model.nowMs += ms;
      world.clock.advance(ms);
      if (Math.floor(model.nowMs / 60_000) === minute) return;
      model.accepted = { bars: 0, bakery: 0 };
      seen.afterMinute += 1;
    }),
);

test.each([
  [1, 3],
  [7, 3],
  [400, 3],
  [2_500, 3],
  [2_500, 1],
])(
  'a limit of %i a minute holds over all instances (%i), and no request is split',
  async (limit, instances) => {
    const executed = await runModel<RateModel, RateWorld>({
      name: `rate window of ${limit}`,
      runs: 5,
      maxCommands: 40,
      commands: [one, one, one, rest, together, pass],
      setup: async () => {
        const real = await newRateWorld();
        return {
          model: { limit, instances, nowMs: real.clock.now(), accepted: { bars: 0, bakery: 0 } },
          real,
        };
      },
      // Every command has compared already.
      finish: async () => {},
    });
    expectReached({ ...seen, executed }, 5);
  },
  timeLimitMs,
);
