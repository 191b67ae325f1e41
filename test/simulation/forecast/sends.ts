import type { SimulatedPartner } from '../actors/partners.ts';
import type { Stage } from './load.ts';

export const firstPhone = 79_200_000_000;
const numbersOfCall = 1_000;

export function phones(count: number): number[] {
  return Array.from({ length: count }, (_, n) => firstPhone + n);
}

export async function registerPhones({ ask, alpha }: Stage, count: number): Promise<void> {
  const all = phones(count);
  for (let from = 0; from < count; from += numbersOfCall)
    await ask(alpha, 'PUT /wallet/recipients', { registered: all.slice(from, from + numbersOfCall) });
}

/** The partner changes its endpoint. Workers trust what they know of one for less time than this waits. */
export async function setEndpoint({ ask, alpha, sleep }: Stage, settings: object): Promise<void> {
  await ask(alpha, 'PUT /callbacks/endpoint', settings);
  await sleep(10_000);
}

export function pushTo(msisdn: number | readonly number[]) {
  return {
    pushType: 'SERVICE',
    payload: { title: 'Forecast', message: 'Forecast' },
    qos: { deliveryStatusNotifications: true },
    utm: { utmSource: 'forecast' },
    msisdn,
  };
}

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
