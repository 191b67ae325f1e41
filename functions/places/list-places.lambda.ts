import { placeStore } from '../../shared/places/place-store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { listPlaces } from './list-places.ts';

export const handler = listPlaces(endpointDeps({ places: placeStore }));
