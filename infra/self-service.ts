import { disableEndpointOperation } from '../functions/callbacks/disable-endpoint.ts';
import { enableEndpointOperation } from '../functions/callbacks/enable-endpoint.ts';
import { getEndpointOperation } from '../functions/callbacks/get-endpoint.ts';
import { listCallbacksOperation } from '../functions/callbacks/list-callbacks.ts';
import { putEndpointOperation } from '../functions/callbacks/put-endpoint.ts';
import { replayCallbacksOperation } from '../functions/callbacks/replay-callbacks.ts';
import { retireEndpointSecretOperation } from '../functions/callbacks/retire-endpoint-secret.ts';
import { rotateEndpointSecretOperation } from '../functions/callbacks/rotate-endpoint-secret.ts';
import { testCallbackOperation } from '../functions/callbacks/test-callback.ts';
import { createKeyOperation } from '../functions/partners/create-key.ts';
import { deleteKeyOperation } from '../functions/partners/delete-key.ts';
import { getOwnKeyOperation } from '../functions/partners/get-own-key.ts';
import { listKeysOperation } from '../functions/partners/list-keys.ts';
import { retireKeyOperation } from '../functions/partners/retire-key.ts';
import { rotateKeyOperation } from '../functions/partners/rotate-key.ts';
import { listPlacesOperation } from '../functions/places/list-places.ts';
import { listSyncsOperation } from '../functions/places/list-syncs.ts';
import { getSendReportOperation } from '../functions/push/get-send-report.ts';
import { listSendsOperation } from '../functions/push/list-sends.ts';
import type { Operation } from '../shared/platform/http/operation.ts';
import { type HttpFunctionProps, httpFunction } from './constructs/http-function.ts';
import { listedIndexName } from './data-stack.ts';
import type { HttpService } from './service.ts';

/** A transaction needs the permissions of the writes in it; DeleteItem frees an Idempotency-Key. */
const managing = ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] as const;

const deleting = ['GetItem', 'BatchGetItem', 'UpdateItem', 'DeleteItem'] as const;

/** The longest timeout that makes sense: the gateway waits no longer. */
const longest = { memoryMb: 1024, timeoutSeconds: 29 };

const writing = ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'] as const;

const setting = {
  rows: 'endpoint settings',
  tableActions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
} as const;

/** Finds callbacks by status and time. */
const listed = { name: listedIndexName };

const endpoints = new Map<Operation, HttpFunctionProps>([
  [listPlacesOperation, { tableActions: ['Query'] }],
  [listSyncsOperation, { tableActions: ['Query'] }],
  [listSendsOperation, { tableActions: ['Query', 'BatchGetItem'] }],
  [
    getSendReportOperation,
    { rows: 'reports', size: longest, tableActions: ['GetItem', 'BatchGetItem', 'UpdateItem'] },
  ],
  [listKeysOperation, { rows: 'keys only', tableActions: ['GetItem', 'BatchGetItem'] }],
  [getOwnKeyOperation, { rows: 'accounts only', tableActions: ['GetItem'] }],
  [createKeyOperation, { rows: 'keys only', tableActions: managing }],
  [rotateKeyOperation, { rows: 'keys only', tableActions: managing }],
  [retireKeyOperation, { rows: 'keys only', tableActions: managing }],
  [
    getEndpointOperation,
    { rows: 'endpoint view', index: listed, tableActions: ['Query'], readsWallet: true },
  ],
  [putEndpointOperation, { ...setting, environment: { CALLBACK_ADDRESSES: 'public' }, readsWallet: true }],
  [enableEndpointOperation, setting],
  [disableEndpointOperation, setting],
  [rotateEndpointSecretOperation, setting],
  [retireEndpointSecretOperation, setting],
  [
    testCallbackOperation,
    {
      rows: 'endpoint tests',
      // An attempt may take 25 s.
      size: longest,
      tableActions: writing,
      environment: { CALLBACK_ADDRESSES: 'public' },
    },
  ],
  [
    listCallbacksOperation,
    {
      rows: 'callbacks and messages',
      index: listed,
      size: longest,
      tableActions: ['Query', 'GetItem', 'BatchGetItem'],
    },
  ],
  [
    replayCallbacksOperation,
    { rows: 'endpoint replays', index: listed, size: longest, tableActions: writing },
  ],
  [deleteKeyOperation, { rows: 'keys only', tableActions: deleting }],
]);

/** The dashboard gets ids instead of functions, because this stack depends on the dashboard's. */
export const selfServiceIds: readonly string[] = [...endpoints.keys()].map(({ id }) => id);

/** The operations with which partners manage their keys, callbacks and lists themselves. */
export function addSelfService(service: HttpService): void {
  for (const [operation, props] of endpoints) httpFunction(service, operation, props);
}
