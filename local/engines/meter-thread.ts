// Runs the proxies of startMeter() and counts, in its own thread: a bulk send of 10,000 makes a hundred thousand calls,
// and in the service's thread they would delay each other until the functions time out.
import { parentPort, workerData } from 'node:worker_threads';
import { consumedIn, unitsOf } from '../../shared/platform/table/consumed-capacity.ts';
import { type Consumed, shortName } from './consumption.ts';
import { type EngineCall, startEngineProxies } from './engine-proxy.ts';

const billedBytes = 65_536;
let consumed: Consumed[] = [];

async function pass({ service, operation, functionName, body, forward }: EngineCall) {
  const kind = unitsOf(operation);
  const metered = { ReturnConsumedCapacity: 'TOTAL', ...JSON.parse(body.toString()) };
  const response = await forward(kind ? JSON.stringify(metered) : body);
  const units = kind && response.status === 200 ? consumedIn(JSON.parse(response.body.toString())) : 0;
  consumed.push({
    functionName: shortName(functionName),
    operation,
    ...(kind ? { [kind]: units } : {}),
    ...(service === 'dynamodb' ? { tableCalls: 1 } : { queueRequests: Math.ceil(body.length / billedBytes) }),
  });
  return response;
}

const { endpoints } = await startEngineProxies(workerData, pass);
parentPort?.postMessage(endpoints);
// Each message requests what was consumed since the previous one.
parentPort?.on('message', () => {
  parentPort?.postMessage(consumed);
  consumed = [];
});
