import { type SignedRequest, signedRequest } from '../../platform/egress/signed-request.ts';
import { hours, minutes } from '../../platform/runtime/clock.ts';
import type { Ids } from '../../platform/runtime/ids.ts';
import { bodyOf, type Callback, callbackRequest, webhookId } from '../callback.ts';
import { newSigningSecret, type PostedEndpoint } from '../endpoint/endpoint.ts';
import type { CheckName } from './meanings.ts';

/** No country has assigned these numbers. */
export const testMsisdn = 99_999_999_999;
const otherTestMsisdn = 99_999_999_998;

/** Receivers take timestamps that are at most five minutes off, as Standard Webhooks recommends. */
const wrongByMs = minutes(10);

/** Cyrillic, an emoji, and a number that changes when a receiver parses and writes it again: real callbacks have all. */
const unicodeUtm =
  '{"utmSource":"рассылка","utmMiddle":"push 🎉","utmCampaign":"скидка –20 %","discount":1.10}';

export type Check = {
  check: CheckName;
  /** Made when they are sent, because their signature covers the time. One is sent after the other. */
  requests: ((nowMs: number) => SignedRequest)[];
};

/** The requests that a receiver must take or refuse, about messages that do not exist. The first is the valid one. */
export function checksFor(to: PostedEndpoint, ids: Ids, nowMs: number): Check[] {
  const callback = (more: Partial<Callback> = {}): Callback => ({
    partnerId: to.partnerId,
    messageId: ids.uuid(),
    state: 'DELIVERED',
    msisdn: testMsisdn,
    changedAt: nowMs,
    ...more,
  });
  const signed =
    (about: Callback, { from = to, offMs = 0 } = {}) =>
    (atMs: number) =>
      callbackRequest(from, about, atMs + offMs);
  /** A valid request that is changed after it was signed. */
  const changed = (change: (request: SignedRequest, about: Callback) => Partial<SignedRequest>) => {
    const about = callback();
    return (atMs: number) => {
      const valid = callbackRequest(to, about, atMs);
      return { ...valid, ...change(valid, about) };
    };
  };
  const valid = signed(callback());
  const twice = signed(callback());
  const opened = callback({ state: 'OPENED' });
  const unknownSecret = newSigningSecret(ids, nowMs - hours(1));
  const rotating = { ...to, signingSecrets: [unknownSecret, ...to.signingSecrets] };
  const stranger = { ...to, signingSecrets: [unknownSecret] };
  return [
    { check: 'VALID', requests: [valid] },
    { check: 'REPEATED', requests: [valid] },
    { check: 'TOGETHER', requests: [twice, twice] },
    { check: 'OPENED_FIRST', requests: [signed(opened), signed({ ...opened, state: 'DELIVERED' })] },
    { check: 'TWO_SIGNATURES', requests: [signed(callback(), { from: rotating })] },
    { check: 'UNICODE', requests: [signed(callback({ utm: unicodeUtm }))] },
    { check: 'UNKNOWN_MEMBER', requests: [withUnknownMember(to, callback())] },
    { check: 'SIGNATURE_MISSING', requests: [changed(without('webhook-signature'))] },
    { check: 'SIGNATURE_WRONG', requests: [signed(callback(), { from: stranger })] },
    {
      check: 'BODY_CHANGED',
      requests: [changed((_, about) => ({ body: bodyOf({ ...about, msisdn: otherTestMsisdn }) }))],
    },
    {
      check: 'ID_CHANGED',
      requests: [
        changed(({ headers }) => ({ headers: { ...headers, 'webhook-id': webhookId(callback()) } })),
      ],
    },
    { check: 'TIMESTAMP_OLD', requests: [signed(callback(), { offMs: -wrongByMs })] },
    { check: 'TIMESTAMP_AHEAD', requests: [signed(callback(), { offMs: wrongByMs })] },
    ...(to.basic ? [{ check: 'BASIC_MISSING' as const, requests: [changed(without('authorization'))] }] : []),
  ];
}

function withUnknownMember(to: PostedEndpoint, about: Callback) {
  const body = JSON.stringify({ ...JSON.parse(bodyOf(about)), addedLater: true });
  return (atMs: number) => signedRequest(to, { id: webhookId(about), body }, atMs);
}

function without(name: string) {
  return ({ headers }: SignedRequest) => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name)),
  });
}
