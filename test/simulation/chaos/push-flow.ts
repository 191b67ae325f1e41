import { setTimeout as delay } from 'node:timers/promises';
import { type Caller, request } from '../../../ops/scenario/client.ts';
import type { ChaosPartner } from './actors.ts';
import { type CallOutcome, callApi, type Tally } from './api-call.ts';
import type { Rng } from './rng.ts';

const firstNumber = 79_100_000_000;

export function phones(count: number): number[] {
  return Array.from({ length: count }, (_, n) => firstNumber + n);
}

/** Flows send to these. */
export const phoneCount = 2_000;

export function isRegistered(msisdn: number): boolean {
  return msisdn % 10 !== 9;
}

export interface SentElement {
  readonly msisdn: number;
  readonly messageId: string;
  readonly state: string;
}

/** One request of area C and what the partner knows of it. */
export interface PushRequest {
  readonly partnerId: string;
  /** Stands in the text of its pushes. */
  readonly marker: string;
  readonly kind: 'single' | 'bulk' | 'multi';
  /** In the order of the request, with repeats. */
  readonly msisdns: readonly number[];
  readonly outcome: CallOutcome;
  /** Of an answer 200, else empty. */
  readonly elements: readonly SentElement[];
}

interface PushFlow {
  readonly baseUrl: string;
  readonly partner: ChaosPartner;
  readonly tally: Tally;
  readonly rng: Rng;
  /** About as many recipients are sent to, spread over the time there is. */
  readonly recipients: number;
  readonly isRunning: () => boolean;
  readonly paceMs: number;
}

function contentOf(marker: string) {
  return {
    pushType: 'SERVICE',
    payload: { title: 'Chaos', message: marker },
    qos: { deliveryStatusNotifications: true },
    utm: { utmSource: marker },
  };
}

/** Distinct numbers, as many as there are at most. */
function pick(rng: Rng, count: number): number[] {
  const from = rng.between(0, phoneCount);
  return phones(Math.min(count, phoneCount)).map((_, n) => firstNumber + ((from + n) % phoneCount));
}

/** The wallet platform says who is registered, before anything goes wrong. */
export async function registerPhones(baseUrl: string, count: number): Promise<void> {
  const registered = phones(count).filter(isRegistered);
  for (let from = 0; from < registered.length; from += 1_000) {
    const some = registered.slice(from, from + 1_000);
    const { status } = await request({ baseUrl }, 'PUT /wallet/recipients', { registered: some });
    if (status !== 200) throw new Error(`phones could not be registered: ${status}`);
  }
}

/** Every partner begins with a bulk send, so that a short run has one too. */
function kindOf(rng: Rng, n: number): PushRequest['kind'] {
  if (n === 0) return 'bulk';
  if (rng.happens(0.5)) return 'single';
  return rng.happens(0.3) ? 'multi' : 'bulk';
}

const routes = {
  single: 'POST /push/delivery',
  bulk: 'POST /push/bulk/single',
  multi: 'POST /push/bulk/multi',
} as const;

const multiAtMost = 90;

/** Numbers to send to, and the request that does. */
function requestFor(rng: Rng, kind: PushRequest['kind'], { marker, most }: { marker: string; most: number }) {
  const content = contentOf(marker);
  if (kind === 'single') {
    const [msisdn = firstNumber] = pick(rng, 1);
    return { msisdns: [msisdn], body: { ...content, msisdn } };
  }
  if (kind === 'multi') {
    const msisdns = pick(rng, rng.between(1, Math.min(most, multiAtMost) + 1));
    return { msisdns, body: msisdns.map((msisdn) => ({ ...content, msisdn })) };
  }
  const distinct = pick(rng, rng.between(Math.ceil(most / 2), most + 1));
  // A number given twice is sent once.
  const msisdns = [...distinct, ...distinct.slice(0, rng.between(0, 3))];
  return { msisdns, body: { ...content, msisdn: msisdns } };
}

function elementsOf({ reply }: CallOutcome, [msisdn = 0]: readonly number[]): SentElement[] {
  if (reply?.status !== 200) return [];
  if (Array.isArray(reply.body)) return reply.body;
  return [{ msisdn, ...(reply.body as Omit<SentElement, 'msisdn'>) }];
}

/** Area C under faults: single messages, bulk and multi sends of one partner. */
export async function pushFlow(flow: PushFlow): Promise<PushRequest[]> {
  const { partner, rng, baseUrl, tally } = flow;
  const { login, secret, partnerId } = partner;
  const speaker: Caller = { baseUrl, login, secret };
  const sent: PushRequest[] = [];
  let left = flow.recipients;
  for (let n = 0; left > 0 && flow.isRunning(); n++) {
    const marker = `${partner.behavior} ${n}`;
    const kind = kindOf(rng, n);
    const most = Math.min(left, Math.ceil(flow.recipients / 4));
    const { msisdns, body } = requestFor(rng, kind, { marker, most });
    const outcome = await callApi({ speaker, tally, persistent: rng.happens(0.6) }, routes[kind], body);
    sent.push({ partnerId, marker, kind, msisdns, outcome, elements: elementsOf(outcome, msisdns) });
    left -= new Set(msisdns).size;
    await delay(flow.paceMs);
  }
  return sent;
}
