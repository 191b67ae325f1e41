import { keyStore } from '../../shared/partners/key-store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { createKey } from './create-key.ts';

export const handler = createKey(endpointDeps({ keys: keyStore }));
