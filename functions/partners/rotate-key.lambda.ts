import { keyStore } from '../../shared/partners/key-store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { rotateKey } from './rotate-key.ts';

export const handler = rotateKey(endpointDeps({ keys: keyStore }));
