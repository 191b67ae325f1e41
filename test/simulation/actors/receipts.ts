import { stateSlotOf, statesIn } from '../../../shared/push/message-states.ts';
import { parkedPartition } from '../../../shared/table/keys.ts';
import { kindOf } from '../../../shared/table/row-kinds.ts';
import { entry } from '../ledger.ts';
import type { Row, World } from '../world.ts';
import type { Actor } from './actor.ts';

/** `<messageId> <state>` -> the time that is recorded. */
export function recordedStates(rows: readonly Row[]) {
  const states = new Map<string, { at: number; partnerId: string }>();
  for (const row of rows.filter((one) => kindOf(one).kind.name.startsWith('states of'))) {
    for (const { messageId, state, atMs } of statesIn(row))
      states.set(`${messageId} ${state}`, { at: atMs, partnerId: String(row['partnerId']) });
  }
  return states;
}

/** Times of bulk sends are in whole seconds. */
function asRecorded(messageId: string, time: string): number {
  const { unitMs = 1 } = stateSlotOf(messageId) ?? {};
  return Math.floor(Date.parse(time) / unitMs) * unitMs;
}

/** What devices report must be recorded once each, and what makes no sense parked. */
export function createReceipts({ wallet }: World): Actor {
  return {
    does: {},
    ledger: (rows) => {
      const recorded = recordedStates(rows);
      const reported = Map.groupBy(wallet.sent, ({ messageId, state }) => `${messageId} ${state}`);
      const wrong = [...reported.keys(), ...recorded.keys()].filter((id) => {
        const at = recorded.get(id)?.at;
        return !reported.get(id)?.some(({ messageId, time }) => asRecorded(messageId, time) === at);
      });
      const parked = rows.filter((row) => kindOf(row).kind.name === 'parked message');
      const isFit = ({ pk, body, reason }: Row) =>
        pk === parkedPartition('delivery-receipts') && wallet.nonsense.includes(String(body)) && reason;
      const unfit = parked.filter((row) => !isFit(row)).map((row) => JSON.stringify(row));
      // A message that was a dead letter has another id, and may be parked again.
      const missing = wallet.nonsense.length - parked.length;
      return [
        entry('recorded are the reported states, with a time that was reported', reported.size, wrong),
        entry(
          'receipts that make no sense, and no other messages, are parked with a reason',
          wallet.nonsense.length,
          missing > 0 ? [...unfit, `${missing} are missing`] : unfit,
        ),
        entry('receipts sent', wallet.sent.length),
      ];
    },
  };
}
