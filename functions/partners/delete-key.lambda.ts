import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { deleteKey } from './delete-key.ts';

const { table, ...deps } = endpointDeps();
export const handler = deleteKey({ ...deps, keys: keyStore(table) });
