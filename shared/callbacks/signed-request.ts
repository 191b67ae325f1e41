import { Webhook } from 'standardwebhooks';
import { bodyOf, type Callback, webhookId } from './callback.ts';
import type { Endpoint } from './endpoint.ts';

export type SignedRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
};

/**
 * The request that tells the callback: body of specification 6, HTTP Basic if the partner gave credentials,
 * and the Standard Webhooks headers. The signature covers the time of the attempt, so each attempt is signed.
 */
export const signedRequest = (endpoint: Endpoint, callback: Callback, nowMs: number): SignedRequest => {
  const [body, id, at] = [bodyOf(callback), webhookId(callback), new Date(nowMs)];
  return {
    url: endpoint.url,
    body,
    timeoutMs: endpoint.timeoutMs,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(nowMs / 1_000)),
      'webhook-signature': signersOf(endpoint)
        .map((signer) => signer.sign(id, at, body))
        .join(' '),
      ...(endpoint.basic ? { authorization: basicOf(endpoint.basic) } : {}),
    },
  };
};

/** Decoded once for as long as the endpoint is remembered. */
const signers = new WeakMap<Endpoint, Webhook[]>();

const signersOf = (endpoint: Endpoint): Webhook[] => {
  const known = signers.get(endpoint);
  if (known) return known;
  const made = endpoint.signingSecrets.map(({ secret }) => new Webhook(secret));
  signers.set(endpoint, made);
  return made;
};

const basicOf = ({ login, secret }: { login: string; secret: string }): string =>
  `Basic ${Buffer.from(`${login}:${secret}`, 'utf8').toString('base64')}`;
