import { parkedPartition } from '../../../shared/table/keys.ts';
import { kindOf } from '../../../shared/table/row-kinds.ts';
import { entry } from '../ledger.ts';
import type { Row, World } from '../world.ts';
import type { Actor } from './actor.ts';

const attributes = { DELIVERED: 'deliveredAt', OPENED: 'openedAt' } as const;

/** `<messageId> <state>` -> the time that is recorded. */
export function recordedStates(rows: readonly Row[]): Map<string, { at: number; partnerId: string }> {
  return new Map(
    rows
      .filter((row) => kindOf(row).kind.name === 'states of a message')
      .flatMap((row) =>
        (['DELIVERED', 'OPENED'] as const).flatMap((state) => {
          const at = row[attributes[state]];
          const partnerId = String(row['partnerId']);
          return typeof at === 'number' ? [[`${row['messageId']} ${state}`, { at, partnerId }] as const] : [];
        }),
      ),
  );
}

/** What devices report must be recorded once each, and what makes no sense parked. */
export function createReceipts({ wallet }: World): Actor {
  return {
    does: {},
    ledger: (rows) => {
      const recorded = recordedStates(rows);
      const reported = Map.groupBy(wallet.sent, ({ messageId, state }) => `${messageId} ${state}`);
      const wrong = [...reported].flatMap(([id, receipts]) => {
        const at = recorded.get(id)?.at;
        if (at === undefined) return [`${id} is not recorded`];
        return receipts.some(({ time }) => Date.parse(time) === at)
          ? []
          : [`${id} has a time nobody reported`];
      });
      const invented = [...recorded.keys()].filter((id) => !reported.has(id));
      const [parked, others] = [true, false].map((isOfReceipts) =>
        rows.filter(
          (row) =>
            kindOf(row).kind.name === 'parked message' &&
            (row.pk === parkedPartition('delivery-receipts')) === isOfReceipts,
        ),
      ) as [Row[], Row[]];
      const reasons = parked.filter(({ reason }) => typeof reason === 'string' && reason !== '');
      return {
        entries: [
          entry('reported states are recorded, with a time that was reported', reported.size, wrong),
          entry('nothing else is recorded', recorded.size, invented),
          entry(
            'receipts that make no sense are parked with a reason',
            wallet.badOnes(),
            reasons.length === wallet.badOnes() ? [] : [`${reasons.length} are parked`],
          ),
          entry(
            'no other message is parked',
            parked.length + others.length,
            others.map(({ pk, sk }) => `${pk} ${sk}`),
          ),
        ],
        figures: { 'receipts sent': wallet.sent.length },
      };
    },
  };
}
