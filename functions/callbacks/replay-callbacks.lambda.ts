import { endpointStore } from '../../shared/callbacks/endpoint/store.ts';
import { callbackReplay } from '../../shared/callbacks/listing/replay.ts';
import { callbackStore } from '../../shared/callbacks/retries/store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { replayCallbacks } from './replay-callbacks.ts';

const deps = endpointDeps({ endpoints: endpointStore, callbacks: callbackStore });
export const handler = replayCallbacks({ ...deps, replay: callbackReplay(deps.table, deps.clock) });
