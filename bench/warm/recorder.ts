import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One call of an engine, as it went over the wire. */
export interface EngineCall {
  readonly service: 'dynamodb' | 'sqs';
  /** `PutItem` */
  readonly operation: string;
  readonly input: unknown;
}

/** Calls that ran at the same time. */
export type Wave = readonly EngineCall[];

export interface Recorder {
  readonly endpoints: { readonly dynamodb: string; readonly sqs: string };
  /** The calls since the last question, in the order they began. */
  taken(): Wave[];
  stop(): Promise<void>;
}

const forwarded = ['authorization', 'content-type', 'x-amz-date', 'x-amz-security-token', 'x-amz-target'];

/** Stands in front of both engines and writes down what goes through. */
export const startRecorder = async (engines: { dynamodb: string; sqs: string }): Promise<Recorder> => {
  let waves: EngineCall[][] = [];
  let running = 0;

  const pass = async (service: EngineCall['service'], request: IncomingMessage): Promise<Response> => {
    const body = await buffer(request);
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const call = { service, operation, input: JSON.parse(body.toString()) };
    const current = running > 0 ? waves.at(-1) : undefined;
    if (current) current.push(call);
    else waves.push([call]);
    running++;
    const headers = forwarded.flatMap((name) =>
      request.headers[name] === undefined ? [] : [[name, String(request.headers[name])] as [string, string]],
    );
    try {
      return await fetch(`${engines[service]}${request.url}`, { method: 'POST', headers, body });
    } finally {
      running--;
    }
  };

  const listen = async (service: EngineCall['service']) => {
    const server = createServer(async (request, response) => {
      try {
        const answer = await pass(service, request);
        const contentType = answer.headers.get('content-type') ?? 'application/x-amz-json-1.0';
        response.writeHead(answer.status, { 'content-type': contentType });
        response.end(Buffer.from(await answer.arrayBuffer()));
      } catch {
        // What the client sees of an engine that is gone: a broken connection.
        response.destroy();
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { server, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };

  const [dynamodb, sqs] = [await listen('dynamodb'), await listen('sqs')];
  return {
    endpoints: { dynamodb: dynamodb.endpoint, sqs: sqs.endpoint },
    taken: () => {
      const taken = waves;
      waves = [];
      return taken;
    },
    stop: async () => {
      for (const { server } of [dynamodb, sqs]) {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }
    },
  };
};
