import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { rotateKey } from './rotate-key.ts';

const { table, ...deps } = endpointDeps();
export const handler = rotateKey({ ...deps, keys: keyStore(table) });
