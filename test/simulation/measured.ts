import { deliveredIn } from './actors/feeds.ts';
import { recordedStates } from './actors/receipts.ts';
import { type Entry, entry } from './ledger.ts';
import type { Rows, World } from './world.ts';

const sends = new Set(['POST /push/delivery', 'POST /push/bulk/single', 'POST /push/bulk/multi']);

/** Alarms, objectives and the dashboard believe what the functions have counted. */
export function countedAsHappened({ measured, done, wallet, exchanges }: World, rows: Rows): Entry {
  const answered = done.filter(({ route }) => sends.has(route)).flatMap(({ body }) => [body].flat());
  // A number that is given twice gets one message.
  const accepted = new Map((answered as Accepted[]).map(({ messageId, state }) => [messageId, state]));
  const numberOf = (...some: string[]) =>
    [...accepted.values()].filter((state) => some.includes(state)).length;
  const happened = {
    SessionsStarted: rows('sync session').length,
    SessionsFinished: rows('sync session').filter(({ status }) => status === 'FINISHED').length,
    PushesAccepted: numberOf('ENQUEUED', 'SCHEDULED'),
    PushesNotRegistered: numberOf('MSISDN_NOT_REGISTERED'),
    PushesExpired: [...recordedStates(rows).keys()].filter((id) => id.endsWith('-EXPIRED')).length,
    ReceiptsRecorded: new Set(wallet.sent.map(({ messageId, state }) => `${messageId}-${state}`)).size,
    CallbacksDelivered: exchanges.filter(({ result }) => result?.ok).length + deliveredIn(rows).fed.size,
  };
  const wrong = Object.entries(happened).flatMap(([name, count]) => {
    const counted = measured.get(name) ?? 0;
    return counted === count ? [] : [`${name}: ${counted} instead of ${count}`];
  });
  return entry('without faults metrics count what happened', Object.keys(happened).length, wrong);
}

type Accepted = { messageId: string; state: string };
