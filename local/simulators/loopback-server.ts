import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { close, listen } from '../http/loopback.ts';
import { readBody } from '../http/read-body.ts';

export type Received = {
  headers: IncomingHttpHeaders;
  body: string;
};

export type Reply = { status: number; json?: unknown } | 'hang-up';

/** `GET /received` -> its handler. */
export type Routes = Readonly<Record<string, (received: Received) => Reply | Promise<Reply>>>;

/** Callers keep idle connections for less time, so that they close them and never find one closed. */
const keepAliveMs = 60_000;

async function respond(routes: Routes, serverResponse: ServerResponse): Promise<void> {
  const { req: request } = serverResponse;
  const body = await readBody(request);
  if (!(body instanceof Buffer)) return void serverResponse.destroy();
  const [path] = (request.url ?? '/').split('?');
  const route = routes[`${request.method} ${path}`];
  const reply: Reply = route
    ? await route({ headers: request.headers, body: body.toString() })
    : { status: 404, json: { routes: Object.keys(routes) } };
  if (reply === 'hang-up') return void request.socket.destroy();
  const json = reply.json === undefined ? '' : JSON.stringify(reply.json);
  serverResponse.writeHead(reply.status, json === '' ? {} : { 'content-type': 'application/json' }).end(json);
}

/** Serves on 127.0.0.1, on `port` if it is free and on any other if not (0: on any). */
export async function startLoopbackServer(port: number, routes: Routes) {
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (_request, serverResponse) => {
    serverResponse.on('error', () => undefined);
    respond(routes, serverResponse).catch(() => serverResponse.destroy());
  });
  const listening = (await listen(server, port)) ?? (await listen(server, 0)) ?? 0;
  return { port: listening, url: `http://127.0.0.1:${listening}`, stop: () => close(server) };
}
