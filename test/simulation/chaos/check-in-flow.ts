import { setTimeout as delay } from 'node:timers/promises';
import { activeCheckInKey } from '../../../shared/table/keys.ts';
import { type ApiCaller, type CallOutcome, callApi } from './api-call.ts';
import type { Connection } from './connection.ts';
import { entry, type Ledger } from './ledger.ts';
import type { Rng } from './rng.ts';

interface CheckInFlow {
  readonly offerId: string;
  readonly placeIds: readonly string[];
  readonly partner: Omit<ApiCaller, 'persistent'>;
  readonly wallet: Omit<ApiCaller, 'persistent'>;
  readonly rng: Rng;
  /** Flows side by side have cards of their own. */
  readonly lane: number;
  readonly isRunning: () => boolean;
}

/** A check-in that the wallet got a response for, and the responses to the cash desks that tried to redeem it. */
export interface OpenedCheckIn {
  readonly checkinNumber: number;
  readonly placeId: string;
  readonly cardNumber: string;
  readonly desks: readonly CallOutcome[];
}

const desksAtOnce = 3;

/** Area B under faults: a card is checked in, and several cash desks try to redeem the check-in. */
export async function checkInFlow(flow: CheckInFlow): Promise<OpenedCheckIn[]> {
  const { offerId, placeIds, partner, wallet, rng, lane } = flow;
  const opened: OpenedCheckIn[] = [];
  for (let n = 0; flow.isRunning(); n++) {
    const placeId = placeIds[rng.between(0, placeIds.length)] ?? '';
    const cardNumber = `card-${lane}-${n}`;
    const { reply } = await callApi({ ...wallet, persistent: true }, 'POST /wallet/check-ins', {
      offerId,
      placeId,
      cardNumber,
    });
    if (reply?.status !== 200) continue;
    const { checkinNumber } = reply.body as { checkinNumber: number };
    const desks = rng.happens(0.8)
      ? await Promise.all(
          Array.from({ length: desksAtOnce }, () =>
            callApi({ ...partner, persistent: rng.happens(0.6) }, 'POST /partner/api/checkin/register', {
              checkinNumber,
            }),
          ),
        )
      : [];
    opened.push({ checkinNumber, placeId, cardNumber, desks });
    await delay(20);
  }
  return opened;
}

function redemptionsOf({ desks }: OpenedCheckIn): number {
  return desks.filter(({ reply }) => reply?.status === 200).length;
}

interface Listed {
  readonly checkinNumber: number;
}

/** Compares the responses to desks and wallet with the lists and rows afterwards. */
export async function checkInLedger(
  opened: readonly OpenedCheckIn[],
  { offerId, placeIds, partner }: CheckInFlow,
  connection: Connection,
): Promise<Ledger> {
  const active = new Set<number>();
  for (const placeId of placeIds) {
    const route = `GET /partner/api/place/${encodeURIComponent(placeId)}/checkins`;
    const { reply } = await callApi({ ...partner, persistent: true }, route);
    if (reply?.status !== 200) throw new Error(`${route} was answered ${reply?.status} when all was well`);
    for (const { checkinNumber } of reply.body as Listed[]) active.add(checkinNumber);
  }
  const prefix = activeCheckInKey(offerId, '', '').pk;
  const stored = new Map(
    (await connection.rows(prefix)).map((row) => [Number(row['checkinNumber']), row['usedBy'] !== undefined]),
  );
  const twice = opened.filter((one) => redemptionsOf(one) > 1);
  const listedAfterRedeem = opened.filter((one) => redemptionsOf(one) > 0 && active.has(one.checkinNumber));
  const isOpenEnded = ({ desks }: OpenedCheckIn) => desks.some(({ uncertain }) => uncertain);
  const lost = opened.filter(
    (one) => redemptionsOf(one) === 0 && !active.has(one.checkinNumber) && !isOpenEnded(one),
  );
  const falselyShown = [...active].filter((number) => stored.get(number) !== false);
  const untold = opened.filter(
    (one) => redemptionsOf(one) === 0 && !active.has(one.checkinNumber) && isOpenEnded(one),
  );
  const numbers = (list: readonly OpenedCheckIn[]) =>
    list.map(({ checkinNumber }) => `number ${checkinNumber}`);
  return {
    entries: [
      entry('check-ins are redeemed once at most', opened.length, numbers(twice)),
      entry('redeemed check-ins are no longer listed', opened.length, numbers(listedAfterRedeem)),
      entry('check-ins not redeemed are active', opened.length, numbers(lost)),
      entry('listed check-ins are stored and not redeemed', active.size, falselyShown.map(String)),
    ],
    figures: [
      { what: 'check-ins opened', value: opened.length },
      { what: 'check-ins redeemed without any desk being told', value: untold.length },
    ],
  };
}
