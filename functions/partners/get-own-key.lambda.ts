import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { getOwnKey } from './get-own-key.ts';

const { table, ...deps } = endpointDeps();
export const handler = getOwnKey({ ...deps, keys: keyStore(table) });
