// Runs the proxies of startMeter(), in its own thread: a bulk send of 10,000 makes a hundred thousand calls, and in the
// service's thread they would delay each other until the functions time out.
import { parentPort, workerData } from 'node:worker_threads';
import { consumedIn, unitsOf } from '../../shared/platform/table/consumed-capacity.ts';
import { type Roles, readRoles } from '../template/roles.ts';
import type { Metered, Metering } from './engine-meter.ts';
import { type EngineCall, startEngineProxies } from './engine-proxy.ts';
import type { EngineResponse } from './json-call.ts';
import { accessDenied, listAccesses } from './table-accesses.ts';

const { engines, rolesIn, counting } = workerData as Metering;
const roles = rolesIn === undefined ? undefined : readRoles(rolesIn);
const billedBytes = 65_536;
const noted: Metered = { consumed: [], refused: [] };
/** Calls that an engine has answered. On a busy machine the answer may be late, so that the SDK tries again. */
const answered = new Set<string>();

/** `partner-integration-dev-SendBulk` -> `SendBulk` */
function shortName(name: string): string {
  return name.split('-').at(-1) ?? name;
}

async function pass(call: EngineCall): Promise<EngineResponse> {
  const refusal = roles && call.service === 'dynamodb' ? findRefusal(roles, call) : undefined;
  if (refusal !== undefined) {
    noted.refused.push(refusal);
    return accessDenied(refusal);
  }
  return counting ? count(call) : call.forward(call.body);
}

/** A sentence about the first row of a call that the role of the function does not allow. */
function findRefusal(mayAccess: Roles, { operation, functionName, body }: EngineCall): string | undefined {
  const id = shortName(functionName);
  for (const access of listAccesses(operation, JSON.parse(body.toString()))) {
    const [, resource = 'table'] = access.resource.split('/index/');
    if (mayAccess(id, { ...access, resource })) continue;
    const which = access.rows.join(', ') || 'every row';
    return `${id} may not ${access.action.replace('dynamodb:', '')} ${which} of ${resource}`;
  }
  return undefined;
}

async function count({ service, operation, functionName, callId, body, forward }: EngineCall) {
  const kind = unitsOf(operation);
  const metered = { ReturnConsumedCapacity: 'TOTAL', ...JSON.parse(body.toString()) };
  const response = await forward(kind ? JSON.stringify(metered) : body);
  if (answered.has(callId)) return response;
  if (response.status === 200) answered.add(callId);
  const units = kind && response.status === 200 ? consumedIn(JSON.parse(response.body.toString())) : 0;
  noted.consumed.push({
    functionName: shortName(functionName),
    operation,
    ...(kind ? { [kind]: units } : {}),
    ...(service === 'dynamodb' ? { tableCalls: 1 } : { queueRequests: Math.ceil(body.length / billedBytes) }),
  });
  return response;
}

const { endpoints } = await startEngineProxies(engines, pass);
parentPort?.postMessage(endpoints);
parentPort?.on('message', (what: keyof Metered) => {
  parentPort?.postMessage(noted[what]);
  noted[what] = [];
  if (what === 'consumed') answered.clear();
});
