import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { listKeys } from './list-keys.ts';

export const handler = listKeys(endpointDeps({ keys: keyStore }));
