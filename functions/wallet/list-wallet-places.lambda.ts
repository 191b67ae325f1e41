import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { partnerStore } from '../../shared/partners/partner-store.ts';
import { placeStore } from '../../shared/places/place-store.ts';
import { listWalletPlaces } from './list-wallet-places.ts';

const { table, ...deps } = endpointDeps();
export const handler = listWalletPlaces({
  ...deps,
  places: placeStore(table),
  partners: partnerStore(table),
});
