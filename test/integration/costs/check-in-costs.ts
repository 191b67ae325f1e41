import { checkInStore } from '../../../shared/check-ins/check-in.ts';
import { placeStore, storedPlace } from '../../../shared/places/place.ts';
import { writeAll } from '../../../shared/platform/table/batches.ts';
import { activeCheckInKey } from '../../../shared/platform/table/row-keys/check-ins.ts';
import { after, type CostCases, count, once, padded, worst } from './cost-case.ts';
import { offerId } from './cost-partner.ts';

const placeId = 'full';
function codeOf(n: number): string {
  return String(n).padStart(4, '0');
}

/** Far in the future; a number that ends in zeros would be stored in fewer bytes. */
const activeUntil = 4_102_444_799_999;

function checkedIn(itemId: string, checkIns: number) {
  return once(async (table) => {
    await placeStore(table).apply(offerId, {
      put: [storedPlace({ itemId, placeInfo: { address: 'Arbat' } })],
      remove: [],
    });
    await writeAll(
      table,
      count(checkIns).map((n) => {
        const cardNumber = codeOf(n).padStart(128, '9');
        const key = activeCheckInKey(offerId, itemId, cardNumber);
        return {
          put: { ...key, secretCode: codeOf(n), checkinNumber: n + 1, cardNumber, activeUntil, expiresAt: 1 },
        };
      }),
    );
  });
}

/** A check-in for each of the 10,000 codes that a point has: no more can be active there. */
const everyCode = checkedIn(placeId, 10_000);
const quietPlaceId = 'quiet';
const fourCheckedIn = checkedIn(quietPlaceId, 4);
const sandboxPlaceId = 'full in the sandbox';
const mostOfSandbox = checkedIn(sandboxPlaceId, 200);

const card = { offerId, cardNumber: '9'.repeat(127) };

/** The first numbers are those that the service gives. */
let number = 1_000;

export const checkInCosts: CostCases = {
  ListCheckIns: [
    worst(
      'a point where every code is in use',
      { read: 1_009, cpu: { ms: 600, because: 'it reads 10,000 rows' } },
      after(everyCode, { rawPath: `/partner/api/place/${placeId}/checkins` }),
    ),
  ],
  RegisterCheckIn: [
    worst('a check-in that it redeems', { read: 2, write: 4 }, async (table) => {
      number += 1;
      const checkIn = { secretCode: '0022', checkinNumber: number, cardNumber: '9'.repeat(128), activeUntil };
      await checkInStore(table).open({ offerId, placeId: 'another' }, checkIn, { nowMs: Date.now() });
      return { body: padded({ checkinNumber: number }) };
    }),
  ],
  OpenCheckIn: [
    worst(
      'the fifth check-in of a point',
      { read: 2.5, write: 5, logs: 'callerId offerId placeId checkinNumber' },
      async (table) => {
        await fourCheckedIn(table);
        number += 1;
        return { body: padded({ ...card, cardNumber: String(number), placeId: quietPlaceId }) };
      },
    ),
    worst(
      'a point where every code is in use',
      {
        read: 1010.5,
        write: 22,
        status: 503,
        cpu: { ms: 600, because: 'it reads 10,000 rows' },
        logs: 'callerId offerId placeId RefusedAs503',
      },
      after(everyCode, { body: padded({ ...card, placeId }) }),
    ),
  ],
  OpenSandboxCheckIn: [
    worst(
      'a point with the most check-ins of a sandbox',
      { read: 22.5, write: 2, status: 503, logs: 'callerId login offerId placeId RefusedAs503' },
      after(mostOfSandbox, { body: padded({ ...card, placeId: sandboxPlaceId }) }),
    ),
  ],
};
