import { gzipSync } from 'node:zlib';
import { ownLatencies } from '../core/calls.ts';
import { createRng } from '../core/rng.ts';
import { visit } from './check-in-load.ts';
import type { Load, Stage } from './load.ts';
import { changed, pointsOf, sendList } from './place-lists.ts';
import { firstPhone, phones, pushTo, registerPhones } from './sends.ts';

const seconds = 40;
/** What alpha requests in a second: five times its budgets (rule 48). */
const offered = { tills: 500, others: 500, heavy: 30 };
const recipients = 1_000;

type Request = (n: number) => Promise<unknown>;

/** Makes the requests in turn, at a rate, without waiting for one before the next. Resolves when all have ended. */
async function keepAsking({ sleep }: Stage, perSecond: number, requests: readonly Request[]): Promise<void> {
  const made: Promise<unknown>[] = [];
  for (let n = 0; n < seconds * perSecond; n++) {
    made.push((requests[n % requests.length] as Request)(n));
    await sleep(Math.floor(((n + 1) * 1_000) / perSecond) - Math.floor((n * 1_000) / perSecond));
  }
  await Promise.all(made);
}

/** A till of beta polls its check-ins and redeems some, and beta sends single messages: 24 requests a second. */
async function serveBeta(stage: Stage) {
  const { beta, world } = stage;
  const { offerId, placeIds } = beta.cafe;
  const latenciesMs: number[] = [];
  let failed = 0;
  const ask: Stage['ask'] = async (...request) => {
    const startedAt = world.time.now();
    const response = await stage.ask(...request);
    latenciesMs.push(world.time.now() - startedAt);
    if (response.status !== 200) failed += 1;
    return response;
  };
  const list = () => ask(beta, `GET /partner/api/place/${placeIds[0]}/checkins`, undefined, offerId);
  const serve = (n: number) => visit({ ...stage, ask, sleep: async () => {} }, beta, n);
  const send = () => ask(beta, 'POST /push/delivery', pushTo(firstPhone));
  // The calls of a request take as long each time that beta makes it, so that only others can make it slower.
  const alike = (name: string, work: Request) => (n: number) =>
    ownLatencies.run(createRng(name, n), () => work(n));
  await Promise.all([
    keepAsking(stage, 10, [alike('list', list)]),
    keepAsking(stage, 3, [alike('visit', serve)]),
    keepAsking(stage, 5, [alike('send', send)]),
  ]);
  return { latenciesMs, failed };
}

/** What alpha's heavy requests need to exist. */
type Past = {
  sessionId: string;
  messageId: string;
};

/** A session with 2,000 errors, and a send whose 2,000 callbacks were skipped. */
async function createPast(stage: Stage): Promise<Past> {
  const { ask, alpha, sleep } = stage;
  await registerPhones(stage, recipients);
  const rejected = Array.from({ length: 2_000 }, (_, n) => ({ itemId: `wrong-${n}`, placeInfo: {} }));
  const { sessionId } = await sendList(stage, [...pointsOf(1_000), ...rejected]);
  await ask(alpha, 'POST /callbacks/endpoint/disable');
  const { body } = await ask(alpha, 'POST /push/bulk/single', pushTo(phones(recipients)));
  await sleep(60_000);
  await ask(alpha, 'POST /callbacks/endpoint/enable');
  const [first] = body as readonly { messageId: string }[];
  return { sessionId, messageId: first?.messageId ?? '' };
}

/** The requests of alpha that count as heavy. Messages have about the 4 kB that they may have at most. */
function heavyRequests({ ask, alpha }: Stage, { sessionId, messageId }: Past): Request[] {
  const rng = createRng('contents');
  const full = (msisdn: number | readonly number[]) => {
    return { ...pushTo(msisdn), qos: {}, utm: { utmSource: rng.bytes(2_700).toString('base64') } };
  };
  const multi = gzipSync(JSON.stringify(phones(25).map(full)));
  const bulk = full(phones(500));
  const points = pointsOf(1_000);
  const lists = [changed(points, 1), points].map((places) => gzipSync(JSON.stringify({ places })));
  let sent = 0;
  // Each list changes every point of the one before.
  const list = () => ask(alpha, 'POST /places/sync', lists[sent++ % 2]);
  return [
    () => ask(alpha, 'POST /push/bulk/multi', multi),
    () => ask(alpha, 'POST /push/bulk/single', bulk),
    list,
    () => ask(alpha, `GET /places/sync/${sessionId}`),
    () => ask(alpha, `GET /push/${messageId}/report`),
    () => ask(alpha, 'POST /callbacks/replay', { status: 'skipped' }),
  ];
}

/** Alpha, whose endpoint is dead, offers five times its budgets of each kind. */
function overload(stage: Stage, past: Past): void {
  const { ask, alpha } = stage;
  const { offerId, placeIds } = alpha.cafe;
  alpha.mood = 'hangs';
  keepAsking(stage, offered.tills, [
    () => ask(alpha, `GET /partner/api/place/${placeIds[0]}/checkins`, undefined, offerId),
    () => ask(alpha, 'POST /partner/api/checkin/register', { checkinNumber: 1 }, offerId),
  ]);
  keepAsking(stage, offered.others, [
    (n) => ask(alpha, 'POST /push/delivery', pushTo(firstPhone + (n % recipients))),
    () => ask(alpha, `GET /push/${past.messageId}/transactional-state`),
  ]);
  keepAsking(stage, offered.heavy, heavyRequests(stage, past));
}

/** The latencies are those of beta and the wallet platform beside alpha, compared with those without alpha. */
export function noisyNeighbour(): Load {
  let past: Past;
  let aloneMs: readonly number[] = [];
  return {
    prepare: async (stage) => {
      past = await createPast(stage);
      // The first run starts the instances that beta needs.
      await serveBeta(stage);
      aloneMs = (await serveBeta(stage)).latenciesMs;
    },
    run: async (stage) => {
      overload(stage, past);
      return { ...(await serveBeta(stage)), aloneMs };
    },
  };
}
