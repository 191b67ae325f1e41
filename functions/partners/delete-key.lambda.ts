import { keyStore } from '../../shared/partners/key-store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { deleteKey } from './delete-key.ts';

export const handler = deleteKey(endpointDeps({ keys: keyStore }));
