import { type Actors, must, reach } from './actors.ts';

export const content = {
  pushType: 'SERVICE' as const,
  payload: { title: 'Мы переехали', message: 'Ждём вас на Тверской, дом 7' },
};
export const message = { ...content, qos: { deliveryStatusNotifications: true } };

/** The phone of the sample events. */
export const firstPhone = 79_001_234_567;

export function phones(count: number): number[] {
  return Array.from({ length: count }, (_, n) => firstPhone + n);
}

/** Registers these numbers as having the wallet, as the wallet platform does. */
export async function registerPhones({ wallet }: Actors, count: number): Promise<void> {
  const msisdn = phones(count);
  for (let n = 0; n < count; n += 1_000) {
    await must(wallet, 'PUT /wallet/recipients', { registered: msisdn.slice(n, n + 1_000) });
  }
}

/** Resolves when the opening of this message has been recorded. */
async function opened({ partner }: Actors, messageId: string): Promise<void> {
  const openings = async () => {
    const { body } = await must(partner, `GET /push/${messageId}/transactional-state`);
    return (body as { states: { state: string }[] }).states.filter(({ state }) => state === 'OPENED').length;
  };
  await reach('opened', openings, 1);
}

/** How many different callbacks the simulated partner has received. */
async function receivedBy({ receiver }: Actors): Promise<number> {
  const { body } = await must(receiver, 'GET /received/count');
  return (body as { different: number }).different;
}

/** Sends to registered phones, and waits for the last callback. Returns seconds since the request. */
export async function follow(
  actors: Actors,
  route: 'POST /push/delivery' | 'POST /push/bulk/single',
  msisdn: number | readonly number[],
  afterOpened?: () => Promise<void>,
) {
  const callbacks = 2 * [msisdn].flat().length;
  const receivedBefore = await receivedBy(actors);
  const startedAt = performance.now();
  const since = (): number => (performance.now() - startedAt) / 1_000;
  const reply = await must(actors.partner, route, { ...message, msisdn });
  const accepted = since();
  await opened(actors, ([reply.body].flat().at(-1) as { messageId: string }).messageId);
  /** The last recipient's opening has been recorded. */
  const lastOpened = since();
  await afterOpened?.();
  await reach('called back', () => receivedBy(actors), receivedBefore + callbacks);
  /** Every DELIVERED and every OPENED has been called back. */
  const lastCalledBack = since();
  return { accepted, 'last recipient opened': lastOpened, 'called back': lastCalledBack };
}
