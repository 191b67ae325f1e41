import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { placeStore } from '../../shared/places/place-store.ts';
import { listPlaces } from './list-places.ts';

export const handler = listPlaces(endpointDeps({ places: placeStore }));
