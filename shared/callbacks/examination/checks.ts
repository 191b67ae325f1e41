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
  /** What the receiver should do with these requests. */
  expected: '2xx' | '4xx';
  /** Made when they are sent, because their signature covers the time. One is sent after the other. */
  requests: ((nowMs: number) => SignedRequest)[];
  /** The requests are sent at once instead. */
  together?: true;
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
  const unknownSecret = newSigningSecret(ids, nowMs - hours(1));
  const signed =
    (what: Callback, from = to) =>
    (atMs: number) =>
      callbackRequest(from, what, atMs);
  const taken = (check: CheckName, ...requests: Check['requests']): Check => ({
    check,
    expected: '2xx',
    requests,
  });
  /** A valid request that is changed after it was signed. */
  const refused = (
    check: CheckName,
    change: (request: SignedRequest, about: Callback) => Partial<SignedRequest>,
  ): Check => {
    const about = callback();
    const request = (atMs: number) => {
      const valid = callbackRequest(to, about, atMs);
      return { ...valid, ...change(valid, about) };
    };
    return { check, expected: '4xx', requests: [request] };
  };
  const signedAt = (check: CheckName, offMs: number): Check => {
    const about = callback();
    return { check, expected: '4xx', requests: [(atMs) => callbackRequest(to, about, atMs + offMs)] };
  };
  const valid = callback();
  const twice = callback();
  const opened = callback({ state: 'OPENED' });
  const rotating = { ...to, signingSecrets: [unknownSecret, ...to.signingSecrets] };
  const stranger = { ...to, signingSecrets: [unknownSecret] };
  return [
    taken('VALID', signed(valid)),
    taken('REPEATED', signed(valid)),
    { ...taken('TOGETHER', signed(twice), signed(twice)), together: true },
    taken('OPENED_FIRST', signed(opened), signed({ ...opened, state: 'DELIVERED' })),
    taken('TWO_SIGNATURES', signed(callback(), rotating)),
    taken('UNICODE', signed(callback({ utm: unicodeUtm }))),
    taken('UNKNOWN_MEMBER', withUnknownMember(to, callback())),
    refused('SIGNATURE_MISSING', ({ headers }) => ({ headers: without(headers, 'webhook-signature') })),
    { check: 'SIGNATURE_WRONG', expected: '4xx', requests: [signed(callback(), stranger)] },
    refused('BODY_CHANGED', (_, about) => ({ body: bodyOf({ ...about, msisdn: otherTestMsisdn }) })),
    refused('ID_CHANGED', ({ headers }) => ({
      headers: { ...headers, 'webhook-id': webhookId({ ...callback(), state: 'DELIVERED' }) },
    })),
    signedAt('TIMESTAMP_OLD', -wrongByMs),
    signedAt('TIMESTAMP_AHEAD', wrongByMs),
    ...(to.basic
      ? [refused('BASIC_MISSING', ({ headers }) => ({ headers: without(headers, 'authorization') }))]
      : []),
  ];
}

function withUnknownMember(to: PostedEndpoint, about: Callback) {
  const body = JSON.stringify({ ...JSON.parse(bodyOf(about)), addedLater: true });
  return (atMs: number) => signedRequest(to, { id: webhookId(about), body }, atMs);
}

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
}
