import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { close, listen } from '../../../local/http/loopback.ts';

type Received = { headers: IncomingMessage['headers']; body: string; url: string };
export type Reply = (serverResponse: ServerResponse, received: Received) => void;

export function reply(status: number, headers: Record<string, string> = {}, body = ''): Reply {
  return (serverResponse) => {
    serverResponse.writeHead(status, headers).end(body);
  };
}

/** A partner that never responds. */
export const silence: Reply = () => {};

/** Starts a partner's server on loopback until the test ends. It records what it receives and responds as told. */
export async function loopbackPartner() {
  const received: Received[] = [];
  let response: Reply = reply(200);
  let connections = 0;
  const server: Server = createServer(async (request, serverResponse) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const got = { headers: request.headers, body, url: request.url ?? '' };
    received.push(got);
    response(serverResponse, got);
  });
  server.on('connection', () => {
    connections += 1;
  });
  const port = Number(await listen(server, 0));
  const stop = async () => {
    if (server.listening) await close(server);
  };
  onTestFinished(stop);
  return {
    url: `http://127.0.0.1:${port}/status?key=partner-secret`,
    received,
    connections: () => connections,
    responses: (next: Reply) => {
      response = next;
    },
    states: () =>
      received.map(({ body }) => {
        const { messageId, state } = JSON.parse(body) as { messageId: string; state: string };
        return `${messageId} ${state}`;
      }),
    close: stop,
  };
}

/** Starts a partner's server that answers everything with this status. */
export async function partnerThatAnswers(status: number): Promise<LoopbackPartner> {
  const partner = await loopbackPartner();
  partner.responses(reply(status));
  return partner;
}

export type LoopbackPartner = Awaited<ReturnType<typeof loopbackPartner>>;
