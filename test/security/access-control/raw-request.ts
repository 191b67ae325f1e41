import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

export type RawRequest = {
  method: string;
  /** Sent unchanged, even if it is not a valid path. */
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer | undefined;
  /** If true, the body is sent in chunks, without a content-length. */
  chunked?: boolean;
};

export type RawResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  tookMs: number;
};

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends a request exactly as it is written. fetch would normalize paths and headers. */
export function sendRaw(
  baseUrl: string,
  { method, path, headers, body, chunked }: RawRequest,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const startedAt = performance.now();
    const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then(
        (body) => resolve({ status, headers, text: body, tookMs: performance.now() - startedAt }),
        reject,
      );
    });
    sent.on('error', reject);
    if (body !== undefined && !chunked) sent.setHeader('content-length', Buffer.byteLength(body));
    sent.end(body);
  });
}
