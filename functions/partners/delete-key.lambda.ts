import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { deleteKey } from './delete-key.ts';

export const handler = deleteKey(endpointDeps({ keys: keyStore }));
