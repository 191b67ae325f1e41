import { jsonCaller } from '../../local/engines/json-call.ts';
import { type Actors, must, reach } from './actors.ts';

export const content = {
  pushType: 'SERVICE' as const,
  payload: { title: 'Мы переехали', message: 'Ждём вас на Тверской, дом 7' },
};
export const calledBack = { qos: { deliveryStatusNotifications: true } };

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

/** How many phones the simulated wallet platform has shown something. */
async function shownOn({ devices }: Actors): Promise<number> {
  const { body } = await must(devices, 'GET /devices');
  return (body as { recipients: number }).recipients;
}

/** How many different callbacks the simulated partner has received. */
async function receivedBy({ receiver }: Actors): Promise<number> {
  const { body } = await must(receiver, 'GET /received');
  const received = body as { body: { messageId: string; state: string } }[];
  return new Set(received.map((one) => `${one.body.messageId} ${one.body.state}`)).size;
}

/** Resolves when every receipt of what was shown has been processed. */
export async function allRecorded({ service }: Actors): Promise<void> {
  const sqs = jsonCaller(service.sqs, 'sqs');
  const kinds = ['', 'NotVisible', 'Delayed'].map((kind) => `ApproximateNumberOfMessages${kind}`);
  // The wallet platform deletes a message when it has sent the last receipt of it.
  for (const name of ['push-outbox', 'delivery-receipts']) {
    const input = { QueueUrl: service.queues[name], AttributeNames: kinds };
    const missing = async () => {
      const { Attributes } = await sqs<{ Attributes: Record<string, string> }>('GetQueueAttributes', input);
      return -kinds.reduce((total, kind) => total + Number(Attributes[kind]), 0);
    };
    await reach(`taken from ${name}`, missing, 0);
  }
}

/** Seconds from the request on. */
export interface SendTimes {
  readonly answered: number;
  readonly shown: number;
  /** Every DELIVERED and every OPENED has been called back. */
  readonly calledBack: number;
}

/** A send to registered phones that were shown nothing yet, followed to its last callback if it asks for them. */
export async function follow(
  actors: Actors,
  route: 'POST /push/delivery' | 'POST /push/bulk/single',
  body: { msisdn: number | readonly number[]; qos?: object },
  afterShown?: () => Promise<void>,
): Promise<SendTimes> {
  const count = [body.msisdn].flat().length;
  const shownBefore = await shownOn(actors);
  const receivedBefore = await receivedBy(actors);
  const startedAt = performance.now();
  const since = (): number => (performance.now() - startedAt) / 1_000;
  await must(actors.partner, route, { ...content, ...body });
  const answered = since();
  await reach('shown', () => shownOn(actors), shownBefore + count);
  const shown = since();
  await afterShown?.();
  if (body.qos) await reach('called back', () => receivedBy(actors), receivedBefore + 2 * count);
  return { answered, shown, calledBack: since() };
}
