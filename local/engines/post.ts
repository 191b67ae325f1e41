import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';

export type EngineResponse = Awaited<ReturnType<typeof post>>;

const agent = new Agent({ keepAlive: true });

/**
 * Sends a body to an engine. It does not use `fetch`, which takes more than twice the processor time, nor
 * `node:stream/consumers`, which adds a third: there are thousands of calls.
 */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer | string,
  signal?: AbortSignal,
) {
  const outgoing = request(url, { method: 'POST', headers, agent, ...(signal ? { signal } : {}) });
  // An error after the response has begun also makes reading the body fail, which reports it.
  outgoing.on('error', () => undefined).end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const contentType = incoming.headers['content-type'] ?? 'application/x-amz-json-1.0';
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk) => chunks.push(chunk));
  await once(incoming, 'end');
  return { status: incoming.statusCode ?? 500, contentType, body: Buffer.concat(chunks) };
}
