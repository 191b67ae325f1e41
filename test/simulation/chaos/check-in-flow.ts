import { setTimeout as delay } from 'node:timers/promises';
import { activeCheckInKey } from '../../../shared/table/keys.ts';
import { type Asking, ask, type Outcome } from './ask.ts';
import { type Book, tallied } from './book.ts';
import type { Connection } from './connection.ts';
import type { Dice } from './dice.ts';

interface CheckInFlow {
  readonly offerId: string;
  readonly placeIds: readonly string[];
  readonly partner: Omit<Asking, 'persistent'>;
  readonly wallet: Omit<Asking, 'persistent'>;
  readonly dice: Dice;
  /** Flows side by side have cards of their own. */
  readonly lane: number;
  readonly goesOn: () => boolean;
}

/** A check-in that the wallet was told of, and what the cash desks heard that tried to use it up. */
export interface OpenedCheckIn {
  readonly checkinNumber: number;
  readonly placeId: string;
  readonly cardNumber: string;
  readonly desks: readonly Outcome[];
}

const desksAtOnce = 3;

/** Area B under faults: a card is checked in, and several cash desks want to use the check-in up. */
export async function checkInFlow(flow: CheckInFlow): Promise<OpenedCheckIn[]> {
  const { offerId, placeIds, partner, wallet, dice, lane } = flow;
  const opened: OpenedCheckIn[] = [];
  for (let n = 0; flow.goesOn(); n++) {
    const placeId = placeIds[dice.between(0, placeIds.length)] ?? '';
    const cardNumber = `card-${lane}-${n}`;
    const { reply } = await ask({ ...wallet, persistent: true }, 'POST /wallet/check-ins', {
      offerId,
      placeId,
      cardNumber,
    });
    if (reply?.status !== 200) continue;
    const { checkinNumber } = reply.body as { checkinNumber: number };
    const desks = dice.happens(0.8)
      ? await Promise.all(
          Array.from({ length: desksAtOnce }, () =>
            ask({ ...partner, persistent: dice.happens(0.6) }, 'POST /partner/api/checkin/register', {
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

function usesOf({ desks }: OpenedCheckIn): number {
  return desks.filter(({ reply }) => reply?.status === 200).length;
}

interface Listed {
  readonly checkinNumber: number;
}

/** Compares what desks and wallet were told with what lists and rows say afterwards. */
export async function checkInBook(
  opened: readonly OpenedCheckIn[],
  { offerId, placeIds, partner }: CheckInFlow,
  connection: Connection,
): Promise<Book> {
  const active = new Set<number>();
  for (const placeId of placeIds) {
    const route = `GET /partner/api/place/${encodeURIComponent(placeId)}/checkins`;
    const { reply } = await ask({ ...partner, persistent: true }, route);
    if (reply?.status !== 200) throw new Error(`${route} was answered ${reply?.status} when all was well`);
    for (const { checkinNumber } of reply.body as Listed[]) active.add(checkinNumber);
  }
  const prefix = activeCheckInKey(offerId, '', '').pk;
  const stored = new Map(
    (await connection.rows(prefix)).map((row) => [Number(row['checkinNumber']), row['usedBy'] !== undefined]),
  );
  const twice = opened.filter((one) => usesOf(one) > 1);
  const shownAfterUse = opened.filter((one) => usesOf(one) > 0 && active.has(one.checkinNumber));
  const isOpenEnded = ({ desks }: OpenedCheckIn) => desks.some(({ uncertain }) => uncertain);
  const lost = opened.filter(
    (one) => usesOf(one) === 0 && !active.has(one.checkinNumber) && !isOpenEnded(one),
  );
  const falselyShown = [...active].filter((number) => stored.get(number) !== false);
  const untold = opened.filter(
    (one) => usesOf(one) === 0 && !active.has(one.checkinNumber) && isOpenEnded(one),
  );
  const numbers = (list: readonly OpenedCheckIn[]) =>
    list.map(({ checkinNumber }) => `number ${checkinNumber}`);
  return {
    lines: [
      tallied('check-ins are used up once at most', opened.length, numbers(twice)),
      tallied('check-ins used up are listed no more', opened.length, numbers(shownAfterUse)),
      tallied('check-ins not used up are active', opened.length, numbers(lost)),
      tallied('listed check-ins are stored and unused', active.size, falselyShown.map(String)),
    ],
    figures: [
      { what: 'check-ins opened', value: opened.length },
      { what: 'check-ins used up, and no desk was told so', value: untold.length },
    ],
  };
}
