import { quantile } from '../../../bench/measure.ts';
import type { Plan } from '../plan.ts';
import { type Context, createWorld } from '../world.ts';
import { callbackLoads } from './callback-loads.ts';
import { campaign } from './campaign.ts';
import { checkInLoad } from './check-in-load.ts';
import { feedLoad } from './feed-load.ts';
import type { Load, Stage } from './load.ts';
import type { Forecast, LoadName, LoadRequest } from './loads.ts';
import { noisyNeighbour } from './noisy-neighbour.ts';
import { placeLists } from './place-lists.ts';
import { scheduledSends } from './scheduled-sends.ts';

const loads: Record<LoadName, () => Load> = {
  ...placeLists,
  ...callbackLoads,
  'check-ins': () => checkInLoad,
  'noisy-neighbour': noisyNeighbour,
  campaign: () => campaign,
  'scheduled-100000': () => scheduledSends,
  'feed-10000': () => feedLoad,
};

/** A plan in which nothing happens but the load, and nothing goes wrong. */
const plan: Plan = { seed: 1, hours: 1, calm: true, actions: [], troubles: [], faults: {} };

const longestMs = 24 * 3_600_000;

/** Runs a load on a service of its own, in virtual time. */
export async function forecast({ load: name }: LoadRequest, context: Context): Promise<Forecast> {
  const load = loads[name]();
  const { limits = {} } = load;
  const world = await createWorld(plan, { ...context, forecast: { limits, scale: load.scale ?? 1 } });
  const { time, partners } = world;
  const requestsMs: number[] = [];
  const [alpha, beta] = [partners.of(0), partners.of(1)];
  for (const partner of partners.all) partner.answersInMs = 100;
  const stage: Stage = {
    world,
    alpha,
    beta,
    requestsMs,
    sleep: time.sleep,
    ask: async ({ authorization, offerId }, route, body, of = offerId) => {
      const startedAt = time.now();
      const isGzip = body instanceof Uint8Array;
      const headers = { authorization, offerid: of, ...(isGzip ? { 'content-encoding': 'gzip' } : {}) };
      const response = (await world.send({ route, headers, body })) ?? { status: 0, body: {} };
      requestsMs.push(time.now() - startedAt);
      return response;
    },
    until: async (isSo, withinMs) => {
      const end = time.now() + withinMs;
      while (!isSo() && time.now() < end) await time.sleep(500);
      return isSo();
    },
  };
  // Preparing also starts instances and opens connections, which exist on any normal day.
  await time.letEnd(load.prepare?.(stage) ?? time.sleep(1_000), longestMs);
  requestsMs.splice(0);
  const startedAt = time.now();
  const { failed, latenciesMs, aloneMs } = await time.letEnd(load.run(stage), longestMs);
  const finishedSeconds = (time.now() - startedAt) / 1_000;
  await world.drop();
  return {
    name,
    finishedSeconds: Math.round(finishedSeconds * 10) / 10,
    p99Ms: Math.round(quantile(latenciesMs, 0.99)),
    failed,
    ...(aloneMs
      ? { slowdown: Math.round((100 * quantile(latenciesMs, 0.99)) / quantile(aloneMs, 0.99)) / 100 }
      : {}),
  };
}
