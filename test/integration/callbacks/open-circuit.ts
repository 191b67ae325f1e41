import type { Progress } from '../../../shared/callbacks/rows/callback-store.ts';
import type { rigWithPartner } from './callbacks-rig.ts';
import { reply } from './loopback-partner.ts';

export type Rig = Awaited<ReturnType<typeof rigWithPartner>>;

/** Opens the circuit of bars for 30 s by five refusals in a row. */
export async function openCircuit({ partner, change, work, records }: Rig) {
  partner.responses(reply(500));
  for (let n = 1; n <= 5; n++) await change(`m${n}`);
  await work();
  records(); // discards the delayed messages
}

export async function keepMany(
  { callbacks, clock }: Pick<Rig, 'callbacks' | 'clock'>,
  partnerId: string,
  { count, ...when }: { count: number; dueAt: number; waitsForCircuit?: true },
) {
  const waiting: Progress = { status: 'waiting', tries: 1, attempts: [], ...when };
  const create = (n: number) => {
    const ref = { partnerId, messageId: `m${n}`, state: 'DELIVERED', msisdn: 79001234567 } as const;
    return callbacks.create({ ...ref, changedAt: 1 }, waiting, clock.now());
  };
  // The client has 50 sockets, so more calls at a time would only queue.
  for (let from = 0; from < count; from += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - from) }, (_, n) => create(from + n)));
}
