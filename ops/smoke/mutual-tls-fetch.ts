import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Fetch } from '../scenario/client.ts';

export type ClientCertificate = {
  /** PEM text, like `key`. */
  cert: string;
  key: string;
};

/** A `fetch` with a client certificate (mutual TLS), which the built-in one does not support. */
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
