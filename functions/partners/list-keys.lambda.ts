import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { listKeys } from './list-keys.ts';

const { table, ...deps } = endpointDeps();
export const handler = listKeys({ ...deps, keys: keyStore(table) });
