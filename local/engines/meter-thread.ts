// Runs the proxies of engineMeter() and counts, in its own thread: a bulk send of 10,000 makes a hundred thousand calls,
// and in the service's thread they would delay each other until the functions time out.
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';
import { consumedIn, unitsOf } from '../../shared/platform/table/consumed-capacity.ts';
import type { EngineEndpoints } from '../functions/function-environment.ts';
import { type Consumption, shortName, sum } from './consumption.ts';
import { callerOf, forward, operationIn, startEngineProxy } from './engine-proxy.ts';
import type { EngineResponse } from './json-call.ts';

const billedBytes = 65_536;
let byFunction = new Map<string, Consumption>();
const called = new Map<string, Set<string>>();

function add(request: IncomingMessage, more: Partial<Consumption>): void {
  const name = shortName(callerOf(request) ?? 'unknown');
  byFunction.set(name, sum(byFunction.get(name), more));
  called.set(name, (called.get(name) ?? new Set()).add(operationIn(request)));
}

async function meterTable(engine: string, request: IncomingMessage): Promise<EngineResponse> {
  const body = await buffer(request);
  const kind = unitsOf(operationIn(request));
  const metered = kind
    ? JSON.stringify({ ReturnConsumedCapacity: 'TOTAL', ...JSON.parse(body.toString()) })
    : body;
  const response = await forward(engine, request, metered);
  const units = kind && response.status === 200 ? consumedIn(JSON.parse(response.body.toString())) : 0;
  add(request, { ...(kind ? { [kind]: units } : {}), tableCalls: 1 });
  return response;
}

async function meterQueues(engine: string, request: IncomingMessage): Promise<EngineResponse> {
  const body = await buffer(request);
  const response = await forward(engine, request, body);
  add(request, { queueRequests: Math.ceil(body.length / billedBytes) });
  return response;
}

const engines = workerData as EngineEndpoints;
const table = await startEngineProxy((request) => meterTable(engines.dynamodb, request));
const queues = await startEngineProxy((request) => meterQueues(engines.sqs, request));
parentPort?.postMessage({ dynamodb: table.endpoint, sqs: queues.endpoint });
// Each message requests what was consumed since the previous one.
parentPort?.on('message', () => {
  parentPort?.postMessage({ byFunction, called });
  byFunction = new Map();
});
