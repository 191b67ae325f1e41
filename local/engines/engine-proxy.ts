import { createServer, type IncomingMessage } from 'node:http';
import { close, listen } from '../http/loopback.ts';
import { type EngineResponse, post } from './json-call.ts';

const passedOn = ['authorization', 'content-type', 'x-amz-date', 'x-amz-security-token', 'x-amz-target'];

/** The headers an engine needs. It requires a signature but does not check it, so the proxy may change the body. */
function engineHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    passedOn.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

/** `DynamoDB_20120810.PutItem` -> `PutItem` */
export function operationIn({ headers }: IncomingMessage): string {
  return String(headers['x-amz-target'] ?? '').replace(/^.*\./, '');
}

/** The name of the calling function, which functionEnvironment() sets as its session token. */
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
      // The caller may have disconnected.
      if (!serverResponse.destroyed)
        serverResponse.writeHead(status, { 'content-type': contentType }).end(body);
    } catch {
      // The engine is gone, so the function gets what it would get without the proxy: a broken connection.
      serverResponse.destroy();
    }
  });
  const endpoint = `http://127.0.0.1:${await listen(server, 0)}`;
  return { endpoint, stop: () => close(server) };
}
