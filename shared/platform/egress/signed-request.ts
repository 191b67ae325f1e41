import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** The user agent, with the version of package.json. AWS's firewall rules refuse requests without one. */
export const userAgent = 'PartnerIntegrationService/0.1.0';

export type SignedRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
};

/** The URL of a request, and the credentials and signing secrets for it. */
export type Destination = {
  url: string;
  timeoutMs: number;
  basic?: { login: string; secret: string } | undefined;
  signingSecrets: readonly { secret: string }[];
};

/**
 * The request of one attempt: HTTP Basic if the partner gave credentials, and the Standard Webhooks headers. The
 * signature covers the time of the attempt, so each attempt has its own signature.
 */
export function signedRequest(
  to: Destination,
  { id, body }: { id: string; body: string },
  nowMs: number,
): SignedRequest {
  const timestamp = String(Math.floor(nowMs / 1_000));
  return {
    url: to.url,
    body,
    timeoutMs: to.timeoutMs,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': importKeys(to)
        .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
        .join(' '),
      ...(to.basic ? { authorization: basicCredentials(to.basic) } : {}),
    },
  };
}

/** Made once for each destination object: a key as bytes would be checked again for each signature, for 15 us. */
const decoded = new WeakMap<Destination, KeyObject[]>();

/** A Standard Webhooks secret is `whsec_` and base64. */
function importKeys(to: Destination): KeyObject[] {
  const known = decoded.get(to);
  if (known) return known;
  const keys = to.signingSecrets.map(({ secret }) =>
    createSecretKey(secret.slice(secret.indexOf('_') + 1), 'base64'),
  );
  decoded.set(to, keys);
  return keys;
}

function basicCredentials({ login, secret }: { login: string; secret: string }): string {
  return `Basic ${Buffer.from(`${login}:${secret}`, 'utf8').toString('base64')}`;
}
