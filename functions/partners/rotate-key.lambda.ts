import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { rotateKey } from './rotate-key.ts';

export const handler = rotateKey(endpointDeps({ keys: keyStore }));
