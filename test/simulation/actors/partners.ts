import { createHmac } from 'node:crypto';
import { alertsEndpointOf } from '../../../shared/callbacks/alerts-endpoint.ts';
import { Endpoint } from '../../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../../shared/callbacks/endpoint/endpoint-store.ts';
import { partnerAdminStore } from '../../../shared/partners/partner-admin-store.ts';
import type { PartnerLimits } from '../../../shared/partners/partner-limits.ts';
import { firstKey } from '../../../shared/partners/partner-rows.ts';
import { placeStore, storedPlace } from '../../../shared/places/place.ts';
import type { AttemptResult } from '../../../shared/platform/egress/attempt-result.ts';
import type { SignedRequest } from '../../../shared/platform/egress/signed-request.ts';
import type { Table } from '../../../shared/platform/table/table.ts';
import type { LaterState } from '../../../shared/push/history.ts';
import type { Receipt } from '../../../shared/push/receipt.ts';
import { AnswerLost, asOperator } from '../core/calls.ts';
import { theRun } from '../core/current.ts';
import { tableClient } from '../core/table-client.ts';
import { createSetting } from '../setting.ts';
import { basic } from './client.ts';
import type { EndpointRequest } from './endpoint-request.ts';

/** How an endpoint behaves for a while. Plain moods treat all callbacks alike; mixed moods vary from call to call. */
const plainMoods = ['fails', 'hangs', 'is slow', 'refuses connections', 'is gone', 'is busy'] as const;
const mixedMoods = [
  'has a rate limit',
  'has set its pace',
  'is slow at times',
  'fails at times',
  'hangs at times',
] as const;
export const moods = [...plainMoods, ...mixedMoods];
/** In these moods an endpoint takes nothing for days, or one call in ten, so that a third of its callbacks fail ten times. */
export const lastingMoods = ['fails', 'fails nearly always'] as const;
/** How an endpoint treats one callback. */
type Mood = (typeof plainMoods)[number] | 'is well';

const results = {
  'is well': { ok: true, httpStatus: 200 },
  'is slow': { ok: true, httpStatus: 200 },
  hangs: { ok: false, error: 'timeout' },
  'refuses connections': { ok: false, error: 'connect' },
  fails: { ok: false, error: 'status', httpStatus: 500 },
  'is gone': { ok: false, error: 'status', httpStatus: 410 },
  'is busy': { ok: false, error: 'status', httpStatus: 429 },
} as const;

/** A callback that reached an endpoint. An alert has an id, headers and a body alone. */
export type ReceivedCallback = Pick<Receipt, 'messageId' | 'msisdn'> & {
  state: LaterState;
  atMs: number;
  webhookId: string;
  utm: { utmSource: string };
  mood: Mood;
  verified: boolean;
  request: Pick<SignedRequest, 'headers' | 'body'>;
};

const key = Buffer.alloc(32, 7);
const secret = 'a secret of the simulation, 32 bytes long';

export const partnerIds = ['alpha', 'beta', 'gamma'] as const;
/** Partners with small budgets of requests, who do nothing but use them. */
const budgetedIds = ['busy', 'quiet'] as const;
type PartnerId = (typeof partnerIds | typeof budgetedIds)[number];
/** Rule 1: what the gateway knows of a key, it knows for 5 minutes. Functions that began then take a little longer. */
export const cachedMs = 300_000 + 60_000;
export const smallBudgets = { tillRequests: 20, heavyRequests: 8, otherRequests: 200 };
/** The owner of rows that cannot be read. The actor that writes them checks them, and others do not see them. */
export const nobodyId = 'nobody';
const placeIds = ['1', '2 #'] as const;
/** Places of the same offers where nobody but the holders of limited keys checks in. */
export const deskIds = ['desk', 'other desk'] as const;
/** Lifetimes of check-ins. Others have the service's default. */
const lifetimesMs: Partial<Record<PartnerId, number>> = { alpha: 60_000, beta: 600_000 };
const firstLimits: Partial<Record<PartnerId, PartnerLimits>> = {
  gamma: { pushesPerMinute: 60 },
  busy: smallBudgets,
  quiet: smallBudgets,
};

type Settings = Pick<Partial<Endpoint>, 'maxPerSecond' | 'states' | 'log'>;
/** PUT /alerts sets these, whatever it asks for. */
export const alertsSettings: Settings = { maxPerSecond: 1, log: 'failures' };
/** Initial settings of endpoints. At a pace of 4, one is called at most five times in any second. */
const settingsOf: Partial<Record<PartnerId, Settings>> = {
  beta: { maxPerSecond: 4 },
  gamma: { states: ['OPENED'] },
};

/** One call of a partner's endpoint as its caller knows it. `result` is missing if the caller ended first. */
export type Exchange = {
  partnerId: string;
  webhookId: string;
  startedAt: number;
  endedAt?: number;
  result?: AttemptResult;
};

function newPartner(partnerId: PartnerId) {
  return {
    partnerId: partnerId as string,
    authorization: basic(partnerId, secret),
    offerId: `${partnerId}-club`,
    /** An offer whose places are not changed by any list. */
    cafe: { offerId: `${partnerId}-cafe`, placeIds, lifetimeMs: lifetimesMs[partnerId] ?? 7_200_000 },
    /** The limits that were agreed at first, and those that are agreed. A change is in force when the gateway's cached results have expired. */
    agreed: createSetting(firstLimits[partnerId] ?? {}),
    limits: firstLimits[partnerId] ?? {},
    url: `https://${partnerId}.example/callbacks`,
    received: [] as ReceivedCallback[],
    mood: 'is well' as Mood | (typeof mixedMoods)[number] | (typeof lastingMoods)[number],
    retryAfter: '1',
    answersInMs: 0,
    /** How many callbacks its server takes per second in moods with a limit, and how many came in this second. */
    perSecond: 5,
    second: { startedAt: 0, taken: 0 },
    settings: settingsOf[partnerId] ?? {},
    /** It asked this of its endpoint, in the order in which it began to ask. */
    asked: [] as EndpointRequest[],
  };
}
export type SimulatedPartner = ReturnType<typeof newPartner>;

/** The ids of what the server of an endpoint has taken. */
export function takenBy({ received }: SimulatedPartner): string[] {
  return received.flatMap(({ mood, verified, webhookId: id }) => (verified && results[mood].ok ? [id] : []));
}

/** The server that takes a partner's alerts: an endpoint of its own, with troubles of its own. */
function alertsServer(partnerId: (typeof partnerIds)[number]): SimulatedPartner {
  const url = `https://alerts.example/${partnerId}`;
  return { ...newPartner(partnerId), partnerId: alertsEndpointOf(partnerId), url, settings: alertsSettings };
}

/** The text of a Standard Webhooks signature. */
export function signatureOf(secret: Buffer, { headers, body }: ReceivedCallback['request']): string {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
}

export function createPartners() {
  const all = partnerIds.map(newPartner);
  const alerted = partnerIds.map(alertsServer);
  const endpoints = [...all, ...alerted];
  const [busy, quiet] = [newPartner('busy'), newPartner('quiet')];
  const exchanges: Exchange[] = [];

  /** A rate limit as real servers have: `perSecond` callbacks pass in each second, the others get 429. */
  const isOverLimit = ({ second, perSecond }: SimulatedPartner): boolean => {
    const now = theRun.time.now();
    if (now - second.startedAt >= 1_000) Object.assign(second, { startedAt: now, taken: 0 });
    second.taken += 1;
    return second.taken > perSecond;
  };
  const moodOfNext = (partner: SimulatedPartner): Mood => {
    const { mood } = partner;
    if (mood === 'has a rate limit') return isOverLimit(partner) ? 'is busy' : 'is well';
    if (mood === 'has set its pace') return 'is well';
    if (mood === 'is slow at times') return theRun.rng.happens(0.3) ? 'is slow' : 'is well';
    if (mood === 'fails at times') return theRun.rng.pick(['fails', 'fails', 'is slow']);
    if (mood === 'fails nearly always') return theRun.rng.happens(0.1) ? 'is well' : 'fails';
    if (mood === 'hangs at times') return theRun.rng.happens(0.3) ? 'hangs' : 'is well';
    return mood;
  };

  const take = (partner: SimulatedPartner, { headers, body }: SignedRequest): Mood => {
    const { time, log } = theRun;
    const mood = moodOfNext(partner);
    if (mood === 'refuses connections') return mood;
    const webhookId = headers['webhook-id'] ?? '';
    const request = { headers, body };
    const { messageId, state, msisdn, utm } = JSON.parse(body);
    // Alerts get new secrets during a run, so `alerts.ts` verifies their signatures.
    const isAlert = alerted.includes(partner);
    const verified = isAlert || headers['webhook-signature'] === signatureOf(key, request);
    const told = { messageId, state, msisdn, utm };
    partner.received.push({ atMs: time.now(), webhookId, ...told, mood, verified, request });
    log.add(`${partner.partnerId} ${mood}: ${isAlert ? webhookId : `${messageId} ${state}`}`);
    return mood;
  };

  /** Returns what the caller sees. */
  const answer = async (partner: SimulatedPartner, request: SignedRequest) => {
    const { time, rng, call } = theRun;
    try {
      const mood = await call({ what: `POST to ${partner.partnerId}`, make: () => take(partner, request) });
      if (partner.answersInMs > 0) await time.sleep(partner.answersInMs);
      if (mood === 'is slow') await time.sleep(rng.between(2_000, 9_000));
      if (mood === 'hangs') await time.sleep(request.timeoutMs);
      const busy = { httpStatus: rng.pick([429, 503]), retryAfter: partner.retryAfter };
      return { ...results[mood], ...(mood === 'is busy' ? busy : {}) };
    } catch (error) {
      if (!(error instanceof AnswerLost)) throw error;
      return { ok: false, error: 'response' } as const;
    }
  };

  /** The partner may have moved its endpoint to another path beneath the first URL. */
  const ofUrl = (url: string) => endpoints.find((one) => url.startsWith(one.url));

  return {
    all,
    /** The servers that take alerts, in the order of `all`. */
    alerted,
    /** Both. */
    endpoints,
    /** Goes over its budgets. */
    busy,
    /** Has the same budgets, and uses at most half of each. */
    quiet,
    /** Has a small limit of messages a minute. */
    limited: all.find(({ limits }) => limits.pushesPerMinute) as SimulatedPartner,
    of: (who: number) => all[who] as SimulatedPartner,
    named: (endpointId: string) =>
      endpoints.find(({ partnerId }) => partnerId === endpointId) as SimulatedPartner,
    ofUrl,

    /** An operator agrees limits with a partner. Returns when they are in force. */
    agree: async ({ partnerId, agreed }: SimulatedPartner, limits: PartnerLimits): Promise<void> => {
      const { time, table } = theRun;
      const end = agreed.begin(limits, time.now());
      const admin = partnerAdminStore({ client: tableClient, name: table.name });
      const isSet = async () => {
        const account = await admin.find(partnerId);
        return account && (await admin.setLimits(account, limits));
      };
      while (!(await asOperator(isSet))) await time.sleep(1_000);
      await time.sleep(cachedMs);
      end(time.now());
    },

    /** Every call of an endpoint and its result as the caller sees them, even if the call never arrived: sorted by when they began. */
    exchanges: exchanges as readonly Exchange[],
    receive: async (request: SignedRequest): Promise<AttemptResult> => {
      const { time, faults } = theRun;
      const partner = ofUrl(request.url);
      if (!partner) return { ok: false, error: 'dns', durationMs: 0 };
      // Without a socket, no call is made.
      if (faults.happens('noSocket')) return { ok: false, error: 'local', durationMs: 0 };
      const webhookId = request.headers['webhook-id'] ?? '';
      const exchange: Exchange = { partnerId: partner.partnerId, webhookId, startedAt: time.now() };
      exchanges.push(exchange);
      const answered = await answer(partner, request);
      const result = { ...answered, durationMs: time.now() - exchange.startedAt };
      Object.assign(exchange, { endedAt: time.now(), result });
      return result;
    },

    seed: async (table: Table, nowMs: number): Promise<void> => {
      const admin = partnerAdminStore(table);
      for (const { partnerId, offerId, cafe, limits } of [...all, busy, quiet]) {
        const account = { login: partnerId, partnerId, offerIds: [offerId, cafe.offerId] };
        await admin.create({ ...firstKey(account, secret, nowMs), limits });
        if (lifetimesMs[partnerId as PartnerId])
          await admin.setCheckInLifetime(cafe.offerId, partnerId, cafe.lifetimeMs);
        for (const itemId of [...cafe.placeIds, ...deskIds]) {
          const place = { itemId, placeInfo: { address: 'x' } };
          // Places are stored one at a time, because a batch that is taken in part would wait for virtual time to pass.
          await placeStore(table).apply(cafe.offerId, { put: [storedPlace(place)], remove: [] });
        }
      }
      const signingSecrets = [{ secret: `whsec_${key.toString('base64')}`, createdAt: nowMs }];
      for (const { partnerId, url, settings } of [...endpoints, busy, quiet]) {
        const endpoint = Endpoint.parse({ partnerId, url, signingSecrets, status: 'enabled', ...settings });
        await endpointStore(table).save(endpoint);
      }
    },
  };
}
