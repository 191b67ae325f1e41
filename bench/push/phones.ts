import type { Endpoints } from '../../local/service.ts';
import { request } from '../../ops/scenario/client.ts';

export const firstPhone = 79_000_000_000;

export function phones(count: number): number[] {
  return Array.from({ length: count }, (_, n) => firstPhone + n);
}

/** Tells the service, as the wallet platform does, that these numbers have the wallet. */
export async function registerPhones({ baseUrl }: Endpoints, count: number): Promise<number[]> {
  const msisdn = phones(count);
  for (let n = 0; n < count; n += 1_000) {
    const registered = msisdn.slice(n, n + 1_000);
    const { status } = await request({ baseUrl }, 'PUT /wallet/recipients', { registered });
    if (status !== 200) throw new Error(`recipients were answered ${status}`);
  }
  return msisdn;
}
