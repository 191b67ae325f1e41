import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { partnerStore } from '../../shared/partners/partner-store.ts';
import { placeStore } from '../../shared/places/place-store.ts';
import { listWalletPlaces } from './list-wallet-places.ts';

export const handler = listWalletPlaces(endpointDeps({ places: placeStore, partners: partnerStore }));
