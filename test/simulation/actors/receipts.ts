import { sendIdOf } from '../../../shared/push/message-id.ts';
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

/** Returns a lookup of the row of the send that a message belongs to, which of a single message is its own. */
export function sendsIn(rows: Rows): (messageId: string) => Row | undefined {
  const sends = [...rows('single message'), ...rows('bulk send')];
  const byId = new Map(sends.map((row) => [row['messageId'] ?? row['bulkId'], row]));
  return (messageId) => byId.get(sendIdOf(messageId));
}

/** Checks that receipts are recorded once, at a possible time. */
export function createReceipts({ wallet: { sent, queuedAt } }: World): Actor {
  /** Maps the id of each receipt to the times at which it came into the queue. */
  const arrivals = () => {
    const all = [...queuedAt].flatMap(([body, times]) => {
      const receipts: Receipt[] = body.startsWith('{"receipts":[') ? JSON.parse(body).receipts : [];
      return receipts.flatMap((receipt) => times.map((atMs) => ({ id: idOf(receipt), atMs })));
    });
    return Map.groupBy(all, ({ id }) => id);
  };
  return {
    does: {},
    ledger: (rows) => {
      const recorded = recordedStates(rows);
      const sendOf = sendsIn(rows);
      const arrived = arrivals();
      /** Rule 47: returns the time to be recorded for each of the receipt's arrivals in the queue. */
      const timesOf = (receipt: Receipt): number[] => {
        const send = sendOf(receipt.messageId);
        const handedOverAt = Number(send?.['releasedAt'] ?? send?.['acceptedAt']);
        return (arrived.get(idOf(receipt)) ?? []).map(({ atMs }) =>
          inUnit(receipt.messageId, Math.max(handedOverAt, Math.min(Date.parse(receipt.time), atMs))),
        );
      };
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
      return [
        entry(
          'rules 18 and 47: what is reported is recorded, at the nearest possible time',
          reported.size,
          wrong,
        ),
      ];
    },
  };
}
