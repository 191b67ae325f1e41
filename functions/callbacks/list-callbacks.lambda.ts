import { callbackArchive } from '../../shared/callbacks/callback-archive.ts';
import { callbackList } from '../../shared/callbacks/callback-list.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { listCallbacks } from './list-callbacks.ts';

const { table, ...deps } = endpointDeps();
export const handler = listCallbacks({ ...deps, list: callbackList(table), archive: callbackArchive(table) });
