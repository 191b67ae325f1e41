import { keyStore } from '../../shared/partners/key-store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { listKeys } from './list-keys.ts';

export const handler = listKeys(endpointDeps({ keys: keyStore }));
