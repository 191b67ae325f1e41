import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { bodyOf, type Callback, webhookId } from './callback.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * With the version of package.json, as a test checks. AWS's own rules for web firewalls refuse requests without it.
 */
export const userAgent = 'PartnerIntegrationService/0.1.0';

export type SignedRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
};

/**
 * The request of a callback: body of specification 6, HTTP Basic if the partner gave credentials, and the Standard
 * Webhooks headers. The signature covers the time of the attempt, so each attempt has its own signature.
 */
export function signedRequest(endpoint: Endpoint, callback: Callback, nowMs: number): SignedRequest {
  const body = bodyOf(callback);
  const id = webhookId(callback);
  const timestamp = String(Math.floor(nowMs / 1_000));
  return {
    url: endpoint.url,
    body,
    timeoutMs: endpoint.timeoutMs,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': keysOf(endpoint)
        .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
        .join(' '),
      ...(endpoint.basic ? { authorization: basicOf(endpoint.basic) } : {}),
    },
  };
}

/** Made once for each endpoint object: a key as bytes would be checked again for each signature, for 15 us. */
const decoded = new WeakMap<Endpoint, KeyObject[]>();

/** A Standard Webhooks secret is `whsec_` and base64. */
function keysOf(endpoint: Endpoint): KeyObject[] {
  const known = decoded.get(endpoint);
  if (known) return known;
  const keys = endpoint.signingSecrets.map(({ secret }) =>
    createSecretKey(secret.slice(secret.indexOf('_') + 1), 'base64'),
  );
  decoded.set(endpoint, keys);
  return keys;
}

function basicOf({ login, secret }: { login: string; secret: string }): string {
  return `Basic ${Buffer.from(`${login}:${secret}`, 'utf8').toString('base64')}`;
}
