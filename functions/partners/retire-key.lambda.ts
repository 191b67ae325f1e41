import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { retireKey } from './retire-key.ts';

export const handler = retireKey(endpointDeps({ keys: keyStore }));
