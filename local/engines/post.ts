import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';

export type EngineResponse = Awaited<ReturnType<typeof post>>;

const agent = new Agent({ keepAlive: true });

/**
 * Sends a body to an engine. There are thousands of calls: `fetch` takes more than twice the processor time, and
 * `node:stream/consumers` adds a third.
 */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer | string,
  signal?: AbortSignal,
) {
  const outgoing = request(url, { method: 'POST', headers, agent, ...(signal ? { signal } : {}) });
  // When it breaks after the response has begun, reading the body fails.
  outgoing.on('error', () => undefined).end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const contentType = incoming.headers['content-type'] ?? 'application/x-amz-json-1.0';
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk) => chunks.push(chunk));
  await once(incoming, 'end');
  return { status: incoming.statusCode ?? 500, contentType, body: Buffer.concat(chunks) };
}
