import { parkedPartition } from '../../../shared/table/keys.ts';
import { kindOf } from '../../../shared/table/row-kinds.ts';
import { entry } from '../ledger.ts';
import type { Row, World } from '../world.ts';
import type { Actor } from './actor.ts';

const attributes = [
  ['DELIVERED', 'deliveredAt'],
  ['OPENED', 'openedAt'],
] as const;

/** `<messageId> <state>` -> the time that is recorded. */
export function recordedStates(rows: readonly Row[]) {
  const states = new Map<string, { at: number; partnerId: string }>();
  for (const row of rows.filter((one) => kindOf(one).kind.name === 'states of a message')) {
    const partnerId = String(row['partnerId']);
    for (const [state, attribute] of attributes) {
      const at = row[attribute];
      if (typeof at === 'number') states.set(`${row['messageId']} ${state}`, { at, partnerId });
    }
  }
  return states;
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
        return !reported.get(id)?.some(({ time }) => Date.parse(time) === at);
      });
      const parked = rows.filter((row) => kindOf(row).kind.name === 'parked message');
      const isFit = ({ pk, body, reason }: Row) =>
        pk === parkedPartition('delivery-receipts') && wallet.nonsense.includes(String(body)) && reason;
      const unfit = parked.filter((row) => !isFit(row)).map((row) => JSON.stringify(row));
      // A message that was a dead letter has another id, and may be parked again.
      const missing = wallet.nonsense.length - parked.length;
      return {
        entries: [
          entry('recorded are the reported states, with a time that was reported', reported.size, wrong),
          entry(
            'receipts that make no sense, and no other messages, are parked with a reason',
            wallet.nonsense.length,
            missing > 0 ? [...unfit, `${missing} are missing`] : unfit,
          ),
        ],
        figures: { 'receipts sent': wallet.sent.length },
      };
    },
  };
}
