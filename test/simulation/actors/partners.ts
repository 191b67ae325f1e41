import { createHmac } from 'node:crypto';
import type { AttemptResult } from '../../../shared/callbacks/attempt.ts';
import { Endpoint } from '../../../shared/callbacks/endpoint.ts';
import { endpointStore } from '../../../shared/callbacks/endpoint-store.ts';
import type { SignedRequest } from '../../../shared/callbacks/signed-request.ts';
import { newAccount } from '../../../shared/partners/account.ts';
import { partnerStore } from '../../../shared/partners/partner-store.ts';
import { storedPlace } from '../../../shared/places/place.ts';
import { placeStore } from '../../../shared/places/place-store.ts';
import type { Table } from '../../../shared/table/table.ts';
import { AnswerLost } from '../core/calls.ts';
import { theRun } from '../core/current.ts';

/** How an endpoint takes callbacks for a while. */
export const moods = ['fails', 'hangs', 'is slow', 'refuses connections', 'is gone', 'is busy'] as const;
export type Mood = (typeof moods)[number] | 'is well';

const failures = { fails: 500, 'is gone': 410, 'is busy': 429 } as const;

export function isTaking(mood: Mood): mood is 'is well' | 'is slow' {
  return mood === 'is well' || mood === 'is slow';
}

export interface ReceivedCallback {
  readonly atMs: number;
  readonly webhookId: string;
  readonly messageId: string;
  readonly state: string;
  readonly msisdn: number;
  readonly utm: { readonly utmSource: string };
  readonly mood: Mood;
  readonly verified: boolean;
}

const key = Buffer.alloc(32, 7);
const secret = 'a secret of the simulation, 32 bytes long';

export interface SimulatedPartner {
  readonly partnerId: string;
  readonly authorization: string;
  readonly offerId: string;
  /** An offer whose places no list changes. */
  readonly cafe: Cafe;
  readonly received: readonly ReceivedCallback[];
  /** What was agreed, in recipients. */
  readonly pushesPerMinute?: number;
  mood: Mood;
  retryAfter: string;
}

interface Cafe {
  readonly offerId: string;
  readonly placeIds: readonly [string, ...string[]];
  /** Of its check-ins. */
  readonly lifetimeMs: number;
}

/** The last one is the service's own. */
const lifetimesMs = [60_000, 600_000, 7_200_000];

export const partnerIds = ['alpha', 'beta', 'gamma'] as const;

export function createPartners() {
  const partners = partnerIds.map((partnerId, n) => ({
    partnerId,
    authorization: `Basic ${Buffer.from(`${partnerId}:${secret}`).toString('base64')}`,
    offerId: `${partnerId}-club`,
    cafe: {
      offerId: `${partnerId}-cafe`,
      placeIds: ['1', '2 #'] as const,
      lifetimeMs: lifetimesMs[n] as number,
    },
    ...(partnerId === 'gamma' ? { pushesPerMinute: 60 } : {}),
    received: [] as ReceivedCallback[],
    mood: 'is well' as Mood,
    retryAfter: '1',
  }));
  const urlOf = (partnerId: string) => `https://${partnerId}.example/callbacks`;

  const take = (partner: (typeof partners)[number], { headers, body }: SignedRequest): Mood => {
    const { time, log } = theRun;
    const { mood } = partner;
    if (mood === 'refuses connections') return mood;
    const id = headers['webhook-id'] ?? '';
    const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
    const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    const { messageId, state, msisdn, utm } = JSON.parse(body);
    const verified = headers['webhook-signature'] === signature;
    partner.received.push({ atMs: time.now(), webhookId: id, messageId, state, msisdn, utm, mood, verified });
    log.add(`${partner.partnerId} ${mood}: ${messageId} ${state}`);
    return mood;
  };

  return {
    partners: partners as readonly SimulatedPartner[],
    of: (who: number) => partners[who] as SimulatedPartner,

    receive: async (request: SignedRequest): Promise<AttemptResult> => {
      const { time, rng, call } = theRun;
      const startedAt = time.now();
      const partner = partners.find(({ partnerId }) => urlOf(partnerId) === request.url);
      if (!partner) return { ok: false, error: 'dns', durationMs: 0 };
      try {
        const mood = await call({
          what: `POST to ${partner.partnerId}`,
          make: () => take(partner, request),
        });
        if (mood === 'is slow') await time.sleep(rng.between(2_000, 9_000));
        if (mood === 'hangs') await time.sleep(request.timeoutMs);
        const durationMs = time.now() - startedAt;
        if (isTaking(mood)) return { ok: true, httpStatus: 200, durationMs };
        if (mood === 'hangs') return { ok: false, error: 'timeout', durationMs };
        if (mood === 'refuses connections') return { ok: false, error: 'connect', durationMs };
        const busy = mood === 'is busy' ? { retryAfter: partner.retryAfter } : {};
        return { ok: false, error: 'status', httpStatus: failures[mood], durationMs, ...busy };
      } catch (error) {
        if (error instanceof AnswerLost)
          return { ok: false, error: 'response', durationMs: time.now() - startedAt };
        throw error;
      }
    },

    /** Puts accounts, offers and endpoints into the table. */
    seed: async (table: Table, nowMs: number): Promise<void> => {
      const store = partnerStore(table);
      const endpoints = endpointStore(table);
      const places = placeStore(table);
      for (const [n, { partnerId, offerId, cafe, pushesPerMinute }] of partners.entries()) {
        const account = { login: partnerId, partnerId, offerIds: [offerId, cafe.offerId] };
        const limits = pushesPerMinute === undefined ? {} : { pushesPerMinute };
        await store.saveAccount({ ...newAccount(account, secret, nowMs), limits });
        await store.saveOffer({ offerId, partnerId });
        const agreed = n < 2 ? { checkInLifetimeMs: cafe.lifetimeMs } : {};
        await store.saveOffer({ offerId: cafe.offerId, partnerId, ...agreed });
        for (const itemId of cafe.placeIds) {
          const place = { itemId, placeInfo: { address: 'x' } };
          // One at a time: a batch that is taken in part would wait for time to pass.
          await places.apply(cafe.offerId, { put: [storedPlace(place)], remove: [] });
        }
        await endpoints.save(
          Endpoint.parse({
            partnerId,
            url: urlOf(partnerId),
            signingSecrets: [{ secret: `whsec_${key.toString('base64')}`, createdAt: nowMs }],
            status: 'enabled',
          }),
        );
      }
    },
  };
}
