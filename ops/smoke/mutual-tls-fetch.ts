import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Fetch } from '../scenario/client.ts';

export interface ClientCertificate {
  /** Both in PEM. */
  readonly cert: string;
  readonly key: string;
}

/** `fetch` for addresses that want a certificate of the client (mutual TLS), which the built-in one cannot show. */
export function mutualTlsFetch(certificate: ClientCertificate): Fetch {
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, signal, ...certificate }, (response) => {
        const status = response.statusCode ?? 0;
        const said = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        text(response).then(
          (body) => resolve(new Response(body || null, { status, headers: Object.fromEntries(said) })),
          reject,
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
}
