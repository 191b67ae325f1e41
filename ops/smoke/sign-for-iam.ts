import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4, type SignatureV4Init } from '@smithy/signature-v4';
import type { Sign } from '../scenario/client.ts';

type Credentials = SignatureV4Init['credentials'];

/** Signs requests for the gateway's IAM authorization (SigV4). */
export function signForIam(region: string, credentials: Credentials): Sign {
  const signer = new SignatureV4({ service: 'execute-api', region, credentials, sha256: Sha256 });
  return async ({ method, url, headers, body }) => {
    const signed = await signer.sign({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { ...headers, host: url.host },
      ...(body === null ? {} : { body }),
    });
    // The HTTP client sets the host header itself.
    const { host: _, ...rest } = signed.headers;
    return rest;
  };
}
