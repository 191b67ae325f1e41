import { partnerStore } from '../../shared/partners/partner-store.ts';
import { placeStore } from '../../shared/places/place-store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { listWalletPlaces } from './list-wallet-places.ts';

export const handler = listWalletPlaces(endpointDeps({ places: placeStore, partners: partnerStore }));
