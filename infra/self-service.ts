import { sizes } from './config.ts';
import { addHttpFunctions, type HttpFunctions } from './constructs/http-function.ts';
import { endpointRows, messageRows, stateRows } from './row-groups.ts';
import type { HttpService } from './service.ts';
import { listedIndexName } from './table.ts';

const keyRows = ['key', 'partner entry'] as const;
const managing = { reads: keyRows, writes: [...keyRows, 'event'] } as const;
/** Which keys there are stays the same. */
const rotating = { reads: keyRows, writes: ['key', 'event'] } as const;

/** Each change reads the key of its request, and refuses one that has ended. */
const setting = {
  reads: ['key', ...endpointRows],
  writes: [...endpointRows, 'event'],
} as const;

const putting = { ...setting, readsWallet: true };

/** One signed attempt, which may take 25 s. */
const testing = {
  size: sizes.longEndpoint,
  reads: ['key', ...endpointRows],
  writes: ['callback tests of a minute'],
  environment: { CALLBACK_ADDRESSES: 'public' },
} as const;

const endpoints: HttpFunctions = {
  ListPlaces: { reads: ['service point'] },
  ListSyncs: { reads: ['sync session'] },
  ListSends: { reads: ['send in lists', 'bulk send'] },
  GetSendReport: {
    size: sizes.longEndpoint,
    reads: [...messageRows, ...stateRows],
    writes: ['reports of a minute'],
  },
  ListEvents: { reads: ['event'] },
  ListKeys: { reads: keyRows },
  GetOwnKey: { reads: ['key'] },
  CreateKey: managing,
  RotateKey: rotating,
  RetireKey: rotating,
  GetEndpoint: {
    reads: [...endpointRows, 'event', 'examination'],
    queries: listedIndexName,
    readsWallet: true,
  },
  PutEndpoint: putting,
  EnableEndpoint: setting,
  DisableEndpoint: setting,
  RotateEndpointSecret: setting,
  RetireEndpointSecret: setting,
  TestCallback: testing,
  ExamineEndpoint: {
    size: sizes.longEndpoint,
    reads: ['key', ...endpointRows],
    writes: ['examinations of ten minutes', 'examination', 'event'],
    environment: { CALLBACK_ADDRESSES: 'public' },
  },
  ListCallbacks: {
    size: sizes.longEndpoint,
    // The log of callbacks has no phone numbers, so these are read from the messages.
    reads: ['callback', 'delivered callbacks', ...messageRows, ...stateRows],
    queries: listedIndexName,
  },
  ReadFeed: { size: sizes.longEndpoint, reads: ['delivered callbacks', ...messageRows] },
  ReplayCallbacks: {
    size: sizes.longEndpoint,
    reads: ['key', ...endpointRows, 'callback'],
    writes: ['circuit', 'callback', 'replays of ten minutes'],
    queries: listedIndexName,
  },
  GetAlerts: { reads: ['key', ...endpointRows] },
  PutAlerts: putting,
  DeleteAlerts: setting,
  TestAlerts: testing,
  DeleteKey: managing,
};

/** The dashboard gets ids instead of functions, because this stack depends on the dashboard's. */
export const selfServiceIds: readonly string[] = Object.keys(endpoints);

/** The operations with which partners manage their keys, callbacks and lists themselves. */
export function addSelfService(service: HttpService): void {
  // The service must not call itself back.
  const environment = { CALLBACK_ADDRESSES: 'public', OWN_ORIGINS: service.gateway.origins.join(',') };
  addHttpFunctions(service, {
    ...endpoints,
    PutEndpoint: { ...putting, environment },
    PutAlerts: { ...putting, environment },
  });
}
