import { overPace } from '../endpoint-history.ts';
import type { Load, Stage } from './load.ts';
import {
  firstPhone,
  latenciesOf,
  phones,
  pushTo,
  registerPhones,
  setEndpoint,
  takenCounter,
} from './sends.ts';

const hourMs = 3_600_000;

/** Each recipient causes two callbacks: delivered and opened. */
const recipients = 10_000;
const callbacks = 2 * recipients;

const bulk: Load = {
  prepare: (stage) => registerPhones(stage, recipients),
  run: async (stage) => {
    const { alpha, ask, until } = stage;
    const taken = takenCounter(alpha);
    const { status } = await ask(alpha, 'POST /push/bulk/single', pushTo(phones(recipients)));
    if (status === 200) await until(() => taken() >= callbacks, hourMs);
    return { failed: callbacks - taken(), latenciesMs: latenciesOf(stage, alpha) };
  },
};

/** Sends a bulk of alpha, and single messages of beta meanwhile. Returns how many callbacks were not delivered in time. */
async function bulkBesideOthers(
  { alpha, beta, ask, sleep, until }: Stage,
  { everyMs, withinMs }: { everyMs: number; withinMs: number },
): Promise<number> {
  const [taken, takenByOther] = [takenCounter(alpha), takenCounter(beta)];
  const { status } = await ask(alpha, 'POST /push/bulk/single', pushTo(phones(recipients)));
  const others = 120;
  for (let n = 0; n < others; n++) {
    await ask(beta, 'POST /push/delivery', pushTo(firstPhone));
    await sleep(everyMs);
  }
  if (status === 200) await until(() => taken() >= callbacks && takenByOther() >= 2 * others, withinMs);
  return callbacks - taken() + 2 * others - takenByOther();
}

/**
 * An endpoint has a pace of 50 a second and a server that responds 429 to more, and 20,000 callbacks are due. The
 * latencies are those of another partner. An attempt above the pace in any second counts as failed.
 */
const pacedEndpoint: Load = {
  prepare: async (stage) => {
    await registerPhones(stage, recipients);
    await setEndpoint(stage, { maxPerSecond: 50 });
  },
  run: async (stage) => {
    const { alpha, beta, world } = stage;
    Object.assign(alpha, { mood: 'has a rate limit', perSecond: 61, retryAfter: '900' });
    const untold = await bulkBesideOthers(stage, { everyMs: 3_000, withinMs: hourMs });
    const refused = alpha.received.filter(({ mood }) => mood === 'is busy').length;
    const begun = world.exchanges.filter(({ partnerId }) => partnerId === alpha.partnerId);
    const tooMany = overPace(begun, 50).length;
    return { failed: untold + refused + tooMany, latenciesMs: latenciesOf(stage, beta) };
  },
};

/** An endpoint fails for an hour while 20,000 callbacks are due. The latencies are those of another partner. */
const deadEndpoint: Load = {
  prepare: (stage) => registerPhones(stage, recipients),
  run: async (stage) => {
    const { alpha, beta, world } = stage;
    alpha.mood = 'fails';
    world.time.after(hourMs, () => {
      alpha.mood = 'is well';
    });
    const failed = await bulkBesideOthers(stage, { everyMs: hourMs / 120, withinMs: 12 * hourMs });
    return { failed, latenciesMs: latenciesOf(stage, beta) };
  },
};

export const callbackLoads = {
  'bulk-10000': () => bulk,
  'paced-endpoint': () => pacedEndpoint,
  'dead-endpoint-hour': () => deadEndpoint,
};
