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

export function pushTo(msisdn: number | readonly number[]) {
  return {
    pushType: 'SERVICE',
    payload: { title: 'Forecast', message: 'Forecast' },
    qos: { deliveryStatusNotifications: true },
    utm: { utmSource: 'forecast' },
    msisdn,
  };
}
