import { callbackArchive } from '../../shared/callbacks/callback-archive.ts';
import { endpointStore } from '../../shared/callbacks/endpoint-store.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { replayCallbacks } from './replay-callbacks.ts';

const { table, ...deps } = endpointDeps();
export const handler = replayCallbacks({
  ...deps,
  endpoints: endpointStore(table),
  archive: callbackArchive(table),
});
