import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { failure } from '../../build/command-line.ts';
import type { Log } from '../log.ts';
import { ownResponse, sendResponse } from './gateway-response.ts';
import { close, listen } from './loopback.ts';
import { splitTarget } from './request-event.ts';
import { createServe, type Serve, type ServeParts } from './serve-request.ts';

interface GatewayParts extends ServeParts {
  readonly port: number;
  readonly log: Log;
}

/** The gateway's own limit on the request line and all headers is 10,240 bytes; Node responds 431 beyond this. */
const maxHeaderBytes = 10_240;

type Responded = { status: number; route?: string | undefined };

async function respond(serve: Serve, serverResponse: ServerResponse): Promise<Responded | undefined> {
  const { req: request } = serverResponse;
  const served = await serve(request);
  if (!served || serverResponse.destroyed) return undefined;
  // A connection whose body was not read to the end cannot be reused.
  if (!request.complete) serverResponse.shouldKeepAlive = false;
  const { response, requestId, route } = served;
  if (sendResponse(serverResponse, response, requestId)) return { status: response.status, route };
  sendResponse(serverResponse, ownResponse(500), requestId);
  return { status: 500, route };
}

/** Serves the HTTP API on loopback and logs one line for each request. */
export async function startGateway({ port, log, ...parts }: GatewayParts) {
  const serve = createServe(parts);
  const handle = async (request: IncomingMessage, serverResponse: ServerResponse): Promise<void> => {
    const startedAt = performance.now();
    const [path] = splitTarget(request.url ?? '/');
    try {
      const responded = await respond(serve, serverResponse);
      if (!responded) return;
      // Log the route, not the path, which may contain a phone number or the token of a receiver.
      const { status, route = `${request.method} ${path}` } = responded;
      log.info(`${route} ${status} ${Math.round(performance.now() - startedAt)} ms`);
    } catch (error) {
      log.warn(`${request.method} ${path}: ${error instanceof Error ? error.stack : error}`);
      if (serverResponse.headersSent) serverResponse.destroy();
      else sendResponse(serverResponse, ownResponse(500), 'local');
    }
  };
  const server = createServer(
    { maxHeaderSize: maxHeaderBytes, keepAliveTimeout: 60_000 },
    (request, serverResponse) => {
      serverResponse.on('error', () => undefined);
      handle(request, serverResponse);
    },
  );
  const listening = await listen(server, port);
  if (listening !== undefined) return { port: listening, stop: () => close(server) };
  throw failure(`Port ${port} is taken: stop what listens there, or choose another one with --port.`);
}
