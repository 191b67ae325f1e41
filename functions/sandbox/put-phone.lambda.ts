import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { phoneStore } from '../../shared/sandbox/phone-store.ts';
import { putPhone } from './put-phone.ts';

export const handler = putPhone(endpointDeps({ phones: phoneStore }));
