import { checkInStore } from '../../shared/check-ins/check-in-store.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { placeStore } from '../../shared/places/place-store.ts';
import { listCheckIns } from './list-check-ins.ts';

const { table, ...deps } = endpointDeps();
export const handler = listCheckIns({ ...deps, checkIns: checkInStore(table), places: placeStore(table) });
