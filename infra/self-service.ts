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
import type { Operation } from '../shared/http/operation.ts';
import { type EndpointProps, endpoint } from './constructs/endpoint.ts';
import type { HttpService } from './service.ts';

/** A transaction needs the permissions of the writes in it; DeleteItem frees an Idempotency-Key. */
const managing = [
  'dynamodb:GetItem',
  'dynamodb:BatchGetItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
] as const;

const deleting = [
  'dynamodb:GetItem',
  'dynamodb:BatchGetItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
] as const;

/** As long as the gateway waits. */
const longest = { memoryMb: 1024, timeoutSeconds: 29 };

const setting = {
  rows: 'endpoint settings',
  tableActions: ['dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
} as const;

const endpoints: readonly { operation: Operation; props: EndpointProps }[] = [
  { operation: listPlacesOperation, props: { tableActions: ['dynamodb:Query'] } },
  { operation: listSyncsOperation, props: { tableActions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'] } },
  {
    operation: listKeysOperation,
    props: { rows: 'keys only', tableActions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'] },
  },
  { operation: getOwnKeyOperation, props: { rows: 'accounts only', tableActions: ['dynamodb:GetItem'] } },
  { operation: createKeyOperation, props: { rows: 'keys only', tableActions: managing } },
  { operation: rotateKeyOperation, props: { rows: 'keys only', tableActions: managing } },
  { operation: retireKeyOperation, props: { rows: 'keys only', tableActions: managing } },
  {
    operation: getEndpointOperation,
    props: { rows: 'endpoint view', tableActions: ['dynamodb:Query'] },
  },
  {
    operation: putEndpointOperation,
    props: { ...setting, environment: { CALLBACK_ADDRESSES: 'public' } },
  },
  { operation: enableEndpointOperation, props: setting },
  { operation: disableEndpointOperation, props: setting },
  { operation: rotateEndpointSecretOperation, props: setting },
  { operation: retireEndpointSecretOperation, props: setting },
  {
    operation: testCallbackOperation,
    props: {
      rows: 'endpoint tests',
      // An attempt may take 25 s.
      size: longest,
      tableActions: ['dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
      environment: { CALLBACK_ADDRESSES: 'public' },
    },
  },
  {
    operation: listCallbacksOperation,
    props: {
      rows: 'callbacks and messages',
      size: longest,
      tableActions: ['dynamodb:Query', 'dynamodb:GetItem', 'dynamodb:BatchGetItem'],
    },
  },
  {
    operation: replayCallbacksOperation,
    props: {
      rows: 'endpoint replays',
      size: longest,
      tableActions: ['dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
    },
  },
  { operation: deleteKeyOperation, props: { rows: 'keys only', tableActions: deleting } },
];

/** The default of `log` depends on the wallet platform. */
const showLog: readonly Operation[] = [getEndpointOperation, putEndpointOperation];

/** By name: the dashboard is part of a stack that this one depends on. */
export const selfServiceIds: readonly string[] = endpoints.map(({ operation }) => operation.id);

/** What people at a partner look up and set themselves. */
export function addSelfService(service: HttpService): void {
  const wallet = { WALLET: service.config.wallet };
  for (const { operation, props } of endpoints) {
    const environment = { ...props.environment, ...(showLog.includes(operation) ? wallet : {}) };
    endpoint(service, operation, { ...props, environment });
  }
}
