import { callbackArchive } from '../../shared/callbacks/callback-archive.ts';
import { logByDefault } from '../../shared/callbacks/endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint-store.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { getEndpoint } from './get-endpoint.ts';

const { table, ...deps } = endpointDeps();
export const handler = getEndpoint({
  ...deps,
  endpoints: endpointStore(table),
  archive: callbackArchive(table),
  logByDefault: logByDefault(readEnv('WALLET').WALLET),
});
