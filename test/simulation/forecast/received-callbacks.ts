import type { SimulatedPartner } from '../actors/partners.ts';
import type { Stage } from './load.ts';

/** Returns the time from a receipt's arrival in the queue to the call, for each callback that was taken. */
export function latenciesOf({ world }: Stage, { received }: SimulatedPartner): number[] {
  return received
    .filter(({ mood }) => mood === 'is well')
    .map(({ atMs, webhookId }) => atMs - (world.wallet.postedAt.get(webhookId) ?? atMs));
}

/** Returns a function that counts the callbacks that a partner has taken, each once, however often it was called. */
export function takenCounter({ received }: SimulatedPartner): () => number {
  const taken = new Set<string>();
  let counted = 0;
  return () => {
    for (const { mood, webhookId } of received.slice(counted)) if (mood === 'is well') taken.add(webhookId);
    counted = received.length;
    return taken.size;
  };
}
