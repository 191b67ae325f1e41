import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { forward, operationIn, startEngineProxy } from '../../local/engines/engine-proxy.ts';

/** One call of an engine, as it went over the wire. */
export interface EngineCall {
  readonly service: 'dynamodb' | 'sqs';
  /** `PutItem` */
  readonly operation: string;
  readonly input: unknown;
}

/** Calls that ran at the same time. */
export type Wave = readonly EngineCall[];

/** Starts proxies in front of both engines that record every call. */
export async function startRecorder(engines: { dynamodb: string; sqs: string }) {
  let waves: EngineCall[][] = [];
  let running = 0;

  const pass = async (service: EngineCall['service'], request: IncomingMessage) => {
    const body = await buffer(request);
    const call = { service, operation: operationIn(request), input: JSON.parse(body.toString()) };
    const current = running > 0 ? waves.at(-1) : undefined;
    if (current) current.push(call);
    else waves.push([call]);
    running++;
    try {
      return await forward(engines[service], request, body);
    } finally {
      running--;
    }
  };

  const listen = (service: EngineCall['service']) => startEngineProxy((request) => pass(service, request));
  const dynamodb = await listen('dynamodb');
  const sqs = await listen('sqs');
  return {
    endpoints: { dynamodb: dynamodb.endpoint, sqs: sqs.endpoint },
    /** Returns the calls since the last time, in the order in which they began. */
    taken: (): Wave[] => {
      const taken = waves;
      waves = [];
      return taken;
    },
    stop: async () => {
      await Promise.all([dynamodb.stop(), sqs.stop()]);
    },
  };
}
