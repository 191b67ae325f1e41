import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { EngineEndpoints } from '../functions/function-environment.ts';
import { close, listen } from '../http/loopback.ts';
import { type EngineResponse, post, unsignedHeaders } from './json-call.ts';

/** A call of a function to an engine. */
export type EngineCall = {
  service: keyof EngineEndpoints;
  /** `PutItem` */
  operation: string;
  /** The session token, in which functionEnvironment() puts the name of the function. */
  functionName: string;
  /** The id that the SDK gives to all tries of a call. What others send is a call each. */
  callId: string;
  body: Buffer;
  /** Sends the call on to the engine, with the body as it came or another one. */
  forward: (body: Buffer | string) => Promise<EngineResponse>;
};

/** Listens in front of both engines; `pass` forwards each call, and sees it and its response. */
export async function startEngineProxies(
  engines: EngineEndpoints,
  pass: (call: EngineCall) => Promise<EngineResponse>,
) {
  const start = async (service: EngineCall['service']) => {
    const server = createServer(async (request, serverResponse) => {
      const { 'x-amz-target': target = '', 'x-amz-security-token': token = 'unknown' } = request.headers;
      const headers = {
        ...unsignedHeaders(service),
        'content-type': String(request.headers['content-type']),
        'x-amz-target': String(target),
      };
      try {
        const { status, contentType, body } = await pass({
          service,
          // `DynamoDB_20120810.PutItem`
          operation: headers['x-amz-target'].replace(/^.*\./, ''),
          functionName: String(token),
          callId: String(request.headers['amz-sdk-invocation-id'] ?? randomUUID()),
          body: await buffer(request),
          forward: (body) => post(`${engines[service]}${request.url}`, headers, body),
        });
        // The caller may have disconnected.
        if (!serverResponse.destroyed)
          serverResponse.writeHead(status, { 'content-type': contentType }).end(body);
      } catch {
        // The engine is gone, so the function gets what it would get without the proxy: a broken connection.
        serverResponse.destroy();
      }
    });
    return { endpoint: `http://127.0.0.1:${await listen(server, 0)}`, stop: () => close(server) };
  };
  const dynamodb = await start('dynamodb');
  const sqs = await start('sqs');
  return {
    endpoints: { dynamodb: dynamodb.endpoint, sqs: sqs.endpoint },
    stop: () => Promise.all([dynamodb.stop(), sqs.stop()]),
  };
}
