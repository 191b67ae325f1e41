import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { phoneStore } from '../../shared/push/phone-store.ts';
import { putPhone } from './put-phone.ts';

const { table, ...deps } = endpointDeps();
export const handler = putPhone({ ...deps, phones: phoneStore(table) });
