import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { failure } from '../../ops/cli/command-line.ts';
import type { Log } from '../log.ts';
import type { ApiModel } from '../template/service-model.ts';
import { ownResponse, sendResponse } from './gateway-response.ts';
import { close, listen } from './loopback.ts';
import { foreignRequest } from './own-site.ts';
import { readBody } from './read-body.ts';
import { gatewayMayDamage, gatewayRequest, splitTarget } from './request-event.ts';
import { type RouteMatch, routeTable } from './route-table.ts';
import { type InvokerParts, routeInvoker } from './serve-request.ts';

type GatewayParts = InvokerParts & {
  api: ApiModel;
  port: number;
  log: Log;
};

/** The gateway's own limit on the request line and all headers is 10,240 bytes; Node responds 431 beyond this. */
const maxHeaderBytes = 10_240;

const damage =
  'the body is not UTF-8, and its content-type is that of text: a gateway on AWS may damage it. Send text in UTF-8, and gzip as application/octet-stream.';

/** Serves the HTTP API on loopback and logs one line for each request. */
export async function startGateway({ api, port, log, ...parts }: GatewayParts) {
  const findRoute = routeTable(api.routes);
  const invoke = routeInvoker(parts);

  /** Refuses foreign requests, authorizes and invokes. Resolves to `undefined` if the client has disconnected. */
  const serve = async (request: IncomingMessage, match: RouteMatch | undefined) => {
    const body = await readBody(request);
    if (body === 'gone') return undefined;
    const foreign = foreignRequest(request);
    if (foreign) return { response: ownResponse(403, foreign), requestId: 'local' };
    if (!match) return { response: ownResponse(404), requestId: 'local' };
    if (body === 'too-large') return { response: ownResponse(413), requestId: 'local' };
    const event = gatewayRequest(request, match, parts.now());
    if (gatewayMayDamage(body, event.headers)) log.warn(`${match.route.key}: ${damage}`);
    const response = await invoke(match.route, event, body);
    return { response, requestId: event.requestContext.requestId };
  };

  const handle = async (serverResponse: ServerResponse): Promise<void> => {
    const { req: request } = serverResponse;
    const startedAt = performance.now();
    const [path] = splitTarget(request.url ?? '/');
    const match = findRoute(request.method ?? 'GET', path);
    // Log the route, not the path, which may contain a phone number or the token of a receiver.
    const route = match?.route.key ?? `${request.method} ${path}`;
    try {
      const served = await serve(request, match);
      if (!served || serverResponse.destroyed) return;
      // A connection whose body was not read to the end cannot be reused.
      if (!request.complete) serverResponse.shouldKeepAlive = false;
      const { response, requestId } = served;
      const isSent = sendResponse(serverResponse, response, requestId);
      if (!isSent) sendResponse(serverResponse, ownResponse(500), requestId);
      const ms = Math.round(performance.now() - startedAt);
      log.info(`${route} ${isSent ? response.status : 500} ${ms} ms`);
    } catch (error) {
      log.warn(`${route}: ${error instanceof Error ? error.stack : error}`);
      if (serverResponse.headersSent) serverResponse.destroy();
      else sendResponse(serverResponse, ownResponse(500), 'local');
    }
  };
  const limits = { maxHeaderSize: maxHeaderBytes, keepAliveTimeout: 60_000 };
  const server = createServer(limits, (_request, serverResponse) => {
    serverResponse.on('error', () => undefined);
    handle(serverResponse);
  });
  const listening = await listen(server, port);
  if (listening !== undefined) return { port: listening, stop: () => close(server) };
  throw failure(`Port ${port} is taken: stop what listens there, or choose another one with --port.`);
}
