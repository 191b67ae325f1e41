import { checkInStore } from '../../shared/check-ins/check-in-store.ts';
import { partnerStore } from '../../shared/partners/partner-store.ts';
import { placeStore } from '../../shared/places/place-store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { openSandboxCheckIn } from './open-sandbox-check-in.ts';

export const handler = openSandboxCheckIn(
  endpointDeps({ checkIns: checkInStore, places: placeStore, partners: partnerStore }),
);
