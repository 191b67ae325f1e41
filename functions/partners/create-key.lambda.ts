import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { createKey } from './create-key.ts';

export const handler = createKey(endpointDeps({ keys: keyStore }));
