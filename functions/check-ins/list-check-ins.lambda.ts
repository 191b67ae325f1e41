import { checkInStore } from '../../shared/check-ins/check-in-store.ts';
import { placeStore } from '../../shared/places/place-store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { listCheckIns } from './list-check-ins.ts';

export const handler = listCheckIns(endpointDeps({ checkIns: checkInStore, places: placeStore }));
