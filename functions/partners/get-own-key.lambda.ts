import { keyStore } from '../../shared/partners/key-store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { getOwnKey } from './get-own-key.ts';

export const handler = getOwnKey(endpointDeps({ keys: keyStore }));
