import { checkInStore } from '../../shared/check-ins/check-in-store.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { registerCheckIn } from './register-check-in.ts';

const { table, ...deps } = endpointDeps();
export const handler = registerCheckIn({ ...deps, checkIns: checkInStore(table) });
