import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { keyStore } from '../../shared/partners/key-store.ts';
import { getOwnKey } from './get-own-key.ts';

export const handler = getOwnKey(endpointDeps({ keys: keyStore }));
