import { callbackArchive } from '../../shared/callbacks/callback-archive.ts';
import { endpointStore } from '../../shared/callbacks/endpoint-store.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { replayCallbacks } from './replay-callbacks.ts';

export const handler = replayCallbacks(endpointDeps({ endpoints: endpointStore, archive: callbackArchive }));
