import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { createKey } from './create-key.ts';

const { table, ...deps } = endpointDeps();
export const handler = createKey({ ...deps, keys: keyStore(table) });
