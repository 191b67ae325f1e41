import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { retireKey } from './retire-key.ts';

const { table, ...deps } = endpointDeps();
export const handler = retireKey({ ...deps, keys: keyStore(table) });
