import { stateSlotOf, statesIn } from '../../../shared/push/message-states.ts';
import { parkedPartition } from '../../../shared/table/keys.ts';
import { entry } from '../ledger.ts';
import type { Actor, Row, Rows, World } from '../world.ts';

/** `<messageId>-<state>` -> the time that is recorded, and whose message it is. */
export function recordedStates(rows: Rows) {
  const states = new Map<string, { at: number; partnerId: unknown }>();
  for (const row of [...rows('states of a message'), ...rows('states of a bulk send')])
    for (const { messageId, state, atMs } of statesIn(row))
      states.set(`${messageId}-${state}`, { at: atMs, partnerId: row['partnerId'] });
  return states;
}

/** Times of bulk sends are in whole seconds. */
function asRecorded(messageId: string, time: string): number {
  const { unitMs = 1 } = stateSlotOf(messageId) ?? {};
  return Math.floor(Date.parse(time) / unitMs) * unitMs;
}

/** What devices report must be recorded once each, and what makes no sense parked. */
export function createReceipts({ wallet: { sent, nonsense } }: World): Actor {
  return {
    does: {},
    ledger: (rows) => {
      const recorded = recordedStates(rows);
      const reported = Map.groupBy(sent, ({ messageId, state }) => `${messageId}-${state}`);
      const wrong = [...reported.keys(), ...recorded.keys()].filter((id) => {
        const at = recorded.get(id)?.at;
        return !reported.get(id)?.some(({ messageId, time }) => asRecorded(messageId, time) === at);
      });
      const isFit = ({ pk, body, reason }: Row) =>
        pk === parkedPartition('delivery-receipts') && nonsense.includes(String(body)) && reason;
      const parked = rows('parked message');
      const unfit = parked.filter((row) => !isFit(row)).map((row) => JSON.stringify(row));
      // A message that was a dead letter has another id, and may be parked again.
      const missing = nonsense.length - parked.length;
      if (missing > 0) unfit.push(`${missing} are missing`);
      return [
        entry('recorded are the reported states, with a time that was reported', reported.size, wrong),
        entry(
          'receipts that make no sense, and no other messages, are parked with a reason',
          nonsense.length,
          unfit,
        ),
      ];
    },
  };
}
