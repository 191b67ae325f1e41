import { checkInStore } from '../../shared/check-ins/check-in-store.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { partnerStore } from '../../shared/partners/partner-store.ts';
import { placeStore } from '../../shared/places/place-store.ts';
import { openSandboxCheckIn } from './open-sandbox-check-in.ts';

const { table, ...deps } = endpointDeps();
const checkIns = checkInStore(table);
const places = placeStore(table);
const partners = partnerStore(table);
export const handler = openSandboxCheckIn({ ...deps, checkIns, places, partners });
