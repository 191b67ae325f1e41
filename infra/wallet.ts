import { sizes } from './config.ts';
import { httpFunctions } from './constructs/http-function.ts';
import type { HttpService } from './service.ts';

/** The wallet platform opens check-ins and reads the places of an offer. */
export function addWallet(service: HttpService): void {
  httpFunctions(service, {
    OpenCheckIn: openingCheckIns,
    ListWalletPlaces: { reads: ['offer', 'service point'] },
    UpdateRecipients: { writes: ['recipient'], readsWallet: true },
  });
}

export const openingCheckIns = {
  size: sizes.checkInOpening,
  reads: ['offer', 'service point', 'active check-in', 'check-in by number'],
  writes: ['check-in counter', 'check-in by number', 'active check-in'],
} as const;
