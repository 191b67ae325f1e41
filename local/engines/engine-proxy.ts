import { createServer, type IncomingMessage } from 'node:http';
import { close, listen } from '../http/loopback.ts';
import { post } from './post.ts';

export interface EngineProxy {
  /** Takes the place of the engine's endpoint. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

const passedOn = ['authorization', 'content-type', 'x-amz-date', 'x-amz-security-token', 'x-amz-target'];

/** Engines look for a signature, but do not check it: it need not fit a body that was changed on the way. */
function engineHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    passedOn.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

/** `DynamoDB_20120810.PutItem` -> `PutItem` */
export function operationIn({ headers }: IncomingMessage): string {
  return (
    String(headers['x-amz-target'] ?? '')
      .split('.')
      .at(-1) ?? ''
  );
}

/** The function that called: functionEnvironment() sets its name as the session token. */
export function callerOf({ headers }: IncomingMessage): string | undefined {
  return headers['x-amz-security-token']?.toString();
}

/** Sends a call on to the engine, with the body as it came or another one. */
export async function forward(
  engine: string,
  request: IncomingMessage,
  body: Buffer | string,
): Promise<Response> {
  const {
    status,
    headers,
    body: bytes,
  } = await post(`${engine}${request.url}`, engineHeaders(request), body);
  return new Response(new Uint8Array(bytes), { status, headers });
}

/** Listens in front of an engine; `pass` calls it, usually by `forward`, and sees every call and response. */
export async function startEngineProxy(
  pass: (request: IncomingMessage) => Promise<Response>,
): Promise<EngineProxy> {
  const server = createServer(async (request, serverResponse) => {
    try {
      const response = await pass(request);
      // The caller has given up.
      if (serverResponse.destroyed) return;
      const contentType = response.headers.get('content-type') ?? 'application/x-amz-json-1.0';
      serverResponse.writeHead(response.status, { 'content-type': contentType });
      serverResponse.end(Buffer.from(await response.arrayBuffer()));
    } catch {
      // The engine is gone: the function must see what it would see without us, a broken connection.
      serverResponse.destroy();
    }
  });
  return { endpoint: `http://127.0.0.1:${await listen(server, 0)}`, stop: () => close(server) };
}
