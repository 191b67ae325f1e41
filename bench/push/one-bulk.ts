import type { Endpoints } from '../../local/service.ts';
import { request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';

/** Seconds from the request on. */
export interface BulkTimes {
  readonly answered: number;
  readonly shown: number;
  /** All DELIVERED and all OPENED have been called back. */
  readonly calledBack: number;
}

const polling = { timeoutSeconds: 240, intervalMs: 100 };

/** One bulk send with callbacks, followed to the last of them. The numbers are registered. */
export async function oneBulk(service: Endpoints, msisdn: readonly number[]): Promise<BulkTimes> {
  const { baseUrl, login, secret, offerId, partner: receiver, wallet } = service;
  if (!receiver || !wallet) throw new Error('the service has no simulators');
  const startedAt = performance.now();
  const since = (): number => (performance.now() - startedAt) / 1_000;
  const { status } = await request({ baseUrl, login, secret, offerId }, 'POST /push/bulk/single', {
    pushType: 'SERVICE',
    msisdn,
    payload: { title: 'Мы переехали', message: 'Ждём вас на Тверской, дом 7' },
    qos: { deliveryStatusNotifications: true },
  });
  if (status !== 200) throw new Error(`the bulk send was answered ${status}`);
  const answered = since();
  const recipients = async () =>
    ((await request({ baseUrl: wallet.url }, 'GET /devices')).body as { recipients: number }).recipients;
  await reached('shown', recipients, msisdn.length);
  const shown = since();
  const received = async () =>
    (
      (await request({ baseUrl: receiver.url }, 'GET /received')).body as {
        body: { messageId: string; state: string };
      }[]
    ).map(({ body }) => `${body.messageId} ${body.state}`);
  await reached('called back', async () => new Set(await received()).size, 2 * msisdn.length);
  return { answered, shown, calledBack: since() };
}

async function reached(what: string, ask: () => Promise<number>, goal: number): Promise<void> {
  const last = await eventually(ask, (value) => value >= goal, polling);
  if (last < goal) throw new Error(`${last} of ${goal} were ${what} within ${polling.timeoutSeconds} s`);
}
