import { keyStore } from '../../shared/partners/key-store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { retireKey } from './retire-key.ts';

export const handler = retireKey(endpointDeps({ keys: keyStore }));
