import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { placeStore } from '../../shared/places/place-store.ts';
import { listPlaces } from './list-places.ts';

const { table, ...deps } = endpointDeps();
export const handler = listPlaces({ ...deps, places: placeStore(table) });
