import { parkedPartition } from '../../../shared/platform/table/row-keys/workers.ts';
import { locateStates, statesIn } from '../../../shared/push/message-states.ts';
import type { Receipt } from '../../../shared/push/receipt.ts';
import { entry } from '../ledger.ts';
import type { Row } from '../watch-rows.ts';
import type { Actor, Rows, World } from '../world.ts';

/** Maps `<messageId>-<state>` to the recorded time and to the partner whose message it is. */
export function recordedStates(rows: Rows) {
  const states = new Map<string, { at: number; partnerId: unknown }>();
  for (const row of [...rows('states of a message'), ...rows('states of a bulk send')])
    for (const { messageId, state, atMs } of statesIn(row))
      states.set(`${messageId}-${state}`, { at: atMs, partnerId: row['partnerId'] });
  return states;
}

/** Rounds a time down to the unit in which the message's states are recorded: seconds for bulk sends. */
export function inUnit(messageId: string, atMs: number): number {
  const { unitMs = 1 } = locateStates(messageId) ?? {};
  return Math.floor(atMs / unitMs) * unitMs;
}

function idOf({ messageId, state, time }: Receipt): string {
  return `${messageId}-${state} ${time}`;
}

/** Returns a lookup of the time at which a message, or the send that it belongs to, was accepted, or released if it was scheduled. */
function handOvers(rows: Rows): (messageId: string) => number {
  const sends = [...rows('single message'), ...rows('bulk send')];
  const byId = new Map(
    sends.map((row) => [row['messageId'] ?? row['bulkId'], Number(row['releasedAt'] ?? row['acceptedAt'])]),
  );
  return (messageId) => byId.get(messageId) ?? byId.get(messageId.slice(0, -4)) ?? Number.NaN;
}

/** Checks that receipts are recorded once, at a possible time, and that those that make no sense are parked. */
export function createReceipts({ wallet: { sent, queuedAt, nonsense } }: World): Actor {
  /** Maps the id of each receipt to the times at which it came into the queue. */
  const arrivals = (): Map<string, number[]> => {
    const all = new Map<string, number[]>();
    for (const [body, times] of queuedAt) {
      if (!body.startsWith('{"receipts":[')) continue;
      for (const receipt of JSON.parse(body).receipts as Receipt[])
        all.set(idOf(receipt), [...(all.get(idOf(receipt)) ?? []), ...times]);
    }
    return all;
  };

  return {
    does: {},
    ledger: (rows) => {
      const recorded = recordedStates(rows);
      const handedOverAt = handOvers(rows);
      const arrived = arrivals();
      /** Rule 47: returns the time to be recorded for each of the receipt's arrivals in the queue. */
      const timesOf = (receipt: Receipt): number[] =>
        (arrived.get(idOf(receipt)) ?? []).map((queued) => {
          const possible = Math.max(
            handedOverAt(receipt.messageId),
            Math.min(Date.parse(receipt.time), queued),
          );
          return inUnit(receipt.messageId, possible);
        });
      const reported = Map.groupBy(sent, ({ messageId, state }) => `${messageId}-${state}`);
      const wrong = [...reported.keys(), ...recorded.keys()].filter((id) => {
        if (id.endsWith('-EXPIRED')) return false;
        const at = recorded.get(id)?.at;
        if (id.endsWith('-CANCELLED')) {
          // A message that has expired stays so. `scheduled.ts` judges what was cancelled before it was handed over.
          if (recorded.has(id.replace(/CANCELLED$/, 'EXPIRED'))) return at !== undefined;
          if (!reported.has(id)) return false;
        }
        return at === undefined || !reported.get(id)?.some((receipt) => timesOf(receipt).includes(at));
      });
      const parked = rows('parked message').filter(({ pk }) => pk === parkedPartition('delivery-receipts'));
      const isFit = ({ body, reason }: Row) => reason && nonsense.some((one) => one.parked === body);
      const unfit = parked.filter((row) => !isFit(row)).map((row) => JSON.stringify(row));
      // A message that an operator moves back gets another id, so it is parked again.
      for (const [content, times] of queuedAt) {
        const same = nonsense.filter((one) => one.content === content);
        const parkedTimes = parked.filter(({ body }) => body === same[0]?.parked).length;
        if (parkedTimes < same.length || parkedTimes > times.length)
          unfit.push(`${content}: parked ${parkedTimes} times, sent ${same.length} times`);
      }
      return [
        entry(
          'rules 18 and 47: recorded are the reported states, at the reported time or the nearest that can be',
          reported.size,
          wrong,
        ),
        entry(
          'rule 30: receipts that make no sense, and no other messages, are parked with a reason',
          nonsense.length,
          unfit,
        ),
      ];
    },
  };
}
