import { sizes } from './config.ts';
import { type HttpFunctions, httpFunctions } from './constructs/http-function.ts';
import type { HttpService } from './service.ts';
import { listedIndexName } from './table.ts';

/** A transaction needs the permissions of the writes in it; DeleteItem frees an Idempotency-Key. */
const managing = ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] as const;

const writing = ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'] as const;

const setting = {
  rows: 'endpoint settings',
  readsKey: true,
  tableActions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
} as const;

const putting = { ...setting, readsWallet: true };

/** Finds callbacks by status and time. */
const listed = { name: listedIndexName };

const endpoints: HttpFunctions = {
  ListPlaces: { tableActions: ['Query'] },
  ListSyncs: { tableActions: ['Query'] },
  ListSends: { tableActions: ['Query', 'BatchGetItem'] },
  GetSendReport: {
    rows: 'reports',
    size: sizes.longEndpoint,
    tableActions: ['GetItem', 'BatchGetItem', 'UpdateItem'],
  },
  ListKeys: { rows: 'keys only', tableActions: ['GetItem', 'BatchGetItem'] },
  GetOwnKey: { rows: 'accounts only', tableActions: ['GetItem'] },
  CreateKey: { rows: 'keys only', tableActions: managing },
  RotateKey: { rows: 'keys only', tableActions: managing },
  RetireKey: { rows: 'keys only', tableActions: managing },
  GetEndpoint: { rows: 'endpoint view', index: listed, tableActions: ['Query'], readsWallet: true },
  PutEndpoint: putting,
  EnableEndpoint: setting,
  DisableEndpoint: setting,
  RotateEndpointSecret: setting,
  RetireEndpointSecret: setting,
  TestCallback: {
    rows: 'endpoint tests',
    readsKey: true,
    // An attempt may take 25 s.
    size: sizes.longEndpoint,
    tableActions: writing,
    environment: { CALLBACK_ADDRESSES: 'public' },
  },
  ListCallbacks: {
    rows: 'callbacks and messages',
    index: listed,
    size: sizes.longEndpoint,
    tableActions: ['Query', 'GetItem', 'BatchGetItem'],
  },
  ReplayCallbacks: {
    rows: 'endpoint replays',
    readsKey: true,
    index: listed,
    size: sizes.longEndpoint,
    tableActions: ['GetItem', ...writing],
  },
  DeleteKey: { rows: 'keys only', tableActions: ['GetItem', 'BatchGetItem', 'UpdateItem', 'DeleteItem'] },
};

/** The dashboard gets ids instead of functions, because this stack depends on the dashboard's. */
export const selfServiceIds: readonly string[] = Object.keys(endpoints);

/** The operations with which partners manage their keys, callbacks and lists themselves. */
export function addSelfService(service: HttpService): void {
  // The service must not call itself back.
  const environment = { CALLBACK_ADDRESSES: 'public', OWN_ORIGINS: service.gateway.origins.join(',') };
  httpFunctions(service, { ...endpoints, PutEndpoint: { ...putting, environment } });
}
