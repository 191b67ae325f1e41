import { checkInStore } from '../../shared/check-ins/check-in-store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { registerCheckIn } from './register-check-in.ts';

export const handler = registerCheckIn(endpointDeps({ checkIns: checkInStore }));
