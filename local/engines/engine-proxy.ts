import { createServer, type IncomingMessage } from 'node:http';
import { close, listen } from '../http/loopback.ts';
import { type EngineResponse, post } from './post.ts';

const passedOn = ['authorization', 'content-type', 'x-amz-date', 'x-amz-security-token', 'x-amz-target'];

/** Engines look for a signature, but do not check it: it need not fit a body that was changed on the way. */
function engineHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    passedOn.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

/** `DynamoDB_20120810.PutItem` -> `PutItem` */
export function operationIn({ headers }: IncomingMessage): string {
  return String(headers['x-amz-target'] ?? '').replace(/^.*\./, '');
}

/** The function that called: functionEnvironment() sets its name as the session token. */
export function callerOf({ headers }: IncomingMessage): string | undefined {
  return headers['x-amz-security-token']?.toString();
}

/** Sends a call on to the engine, with the body as it came or another one. */
export function forward(engine: string, request: IncomingMessage, body: Buffer | string) {
  return post(`${engine}${request.url}`, engineHeaders(request), body);
}

/** Listens in front of an engine; `pass` calls it, usually by `forward`, and sees every call and response. */
export async function startEngineProxy(pass: (request: IncomingMessage) => Promise<EngineResponse>) {
  const server = createServer(async (request, serverResponse) => {
    try {
      const { status, contentType, body } = await pass(request);
      // The caller may have given up.
      if (!serverResponse.destroyed)
        serverResponse.writeHead(status, { 'content-type': contentType }).end(body);
    } catch {
      // The engine is gone: the function must see what it would see without us, a broken connection.
      serverResponse.destroy();
    }
  });
  /** Takes the place of the engine's endpoint. */
  const endpoint = `http://127.0.0.1:${await listen(server, 0)}`;
  return { endpoint, stop: () => close(server) };
}
