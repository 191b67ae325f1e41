import { sizes } from './config.ts';
import { addHttpFunctions } from './constructs/http-function.ts';
import type { HttpService } from './service.ts';

/** The wallet platform opens check-ins. Cash-desk software reads those of a place and redeems one. */
export function addCheckIns(service: HttpService): void {
  addHttpFunctions(service, {
    OpenCheckIn: openingCheckIns,
    ListCheckIns: { reads: ['active check-in', 'service point'] },
    RegisterCheckIn: {
      reads: ['check-in by number', 'active check-in'],
      writes: ['check-in by number', 'active check-in'],
    },
  });
}

export const openingCheckIns = {
  size: sizes.checkInOpening,
  reads: ['offer', 'service point', 'active check-in', 'check-in by number'],
  writes: ['check-in counter', 'check-in by number', 'active check-in'],
} as const;
