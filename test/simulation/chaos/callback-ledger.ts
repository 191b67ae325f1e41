import { callbackOwner } from '../../../shared/table/keys.ts';
import type { ChaosPartner } from './actors.ts';
import type { Row } from './connection.ts';
import { entry, type Ledger } from './ledger.ts';
import { recordedStates } from './receipt-ledger.ts';

function ownersOf(rows: readonly Row[]): Map<string, string> {
  return new Map(rows.map((row) => [String(row['messageId']), String(row['partnerId'])]));
}

/** `<messageId> <state>` of each callback a partner took, and how often. */
function takenBy(partner: ChaosPartner): Map<string, number> {
  const taken = new Map<string, number>();
  for (const { body, answered, verified } of partner.received()) {
    if (answered !== 200 || !verified) continue;
    const id = `${body.messageId} ${body.state}`;
    taken.set(id, (taken.get(id) ?? 0) + 1);
  }
  return taken;
}

interface CallbackParts {
  readonly partners: readonly ChaosPartner[];
  readonly states: readonly Row[];
  /** Of callbacks that were not delivered at once. */
  readonly kept: readonly Row[];
}

/** Compares the recorded states with what the partners were told. */
export function callbackLedger({ partners, states, kept }: CallbackParts): Ledger {
  const owners = ownersOf(states);
  const due = Map.groupBy(recordedStates(states).keys(), (id) => owners.get(id.split(' ')[0] ?? '') ?? '');
  const keptIds = new Map(
    kept.map((row) => [`${callbackOwner(row)} ${row.sk.replace('#', ' ')}`, String(row['status'])] as const),
  );
  const entries = partners.map((partner) => {
    const expected = due.get(partner.partnerId) ?? [];
    const taken = takenBy(partner);
    const isKept = (id: string) =>
      ['waiting', 'skipped', 'failed'].includes(keptIds.get(`${partner.partnerId} ${id}`) ?? '');
    return partner.behavior === 'dead'
      ? entry(
          'callbacks of the dead partner are kept',
          expected.length,
          expected.filter((id) => !isKept(id)),
        )
      : entry(
          `callbacks of the ${partner.behavior} partner arrived`,
          expected.length,
          expected.filter((id) => !taken.has(id)),
        );
  });
  const received = partners.flatMap((partner) => partner.received().map((one) => ({ ...one, partner })));
  const unsigned = received.filter(({ verified }) => !verified);
  const astray = received.filter(({ body, partner }) => owners.get(body.messageId) !== partner.partnerId);
  const idOf = ({ body }: (typeof received)[number]) => `${body.messageId} ${body.state}`;
  const repeats = partners.flatMap((partner) => [...takenBy(partner).values()]).filter((times) => times > 1);
  return {
    entries: [
      ...entries,
      entry('requests to partners were signed well', received.length, unsigned.map(idOf)),
      entry('requests went to their own partner', received.length, astray.map(idOf)),
    ],
    figures: [
      { what: 'callbacks that arrived more than once', value: repeats.length },
      { what: 'callbacks that needed a row', value: kept.length },
    ],
  };
}
