import type { Faults } from '../core/faults.ts';
import type { EventLog } from '../core/log.ts';
import type { QueueModels, SimulatedQueue } from '../core/queues.ts';
import type { Rng } from '../core/rng.ts';
import type { Time } from '../core/time.ts';

export interface ShownMessage {
  readonly messageId: string;
  readonly msisdn: number;
  readonly partnerId: string;
  readonly text: string;
}

export interface SentReceipt {
  readonly messageId: string;
  readonly msisdn: number;
  readonly state: 'DELIVERED' | 'OPENED';
  readonly time: string;
}

interface Parts {
  readonly time: Time;
  readonly rng: Rng;
  readonly faults: Faults;
  readonly log: EventLog;
  readonly queues: QueueModels;
  readonly names: { readonly outbox: string; readonly receipts: string };
}

/** How the platform may treat a message that it shows. */
const habits = [
  'both',
  'both',
  'both',
  'delivered only',
  'opened first',
  'opened only',
  'nothing',
  'twice',
] as const;

/** The wallet platform: shows what it gets on devices, and reports what became of it. */
export function createWallet({ time, rng, log, queues, names }: Parts) {
  const outbox: SimulatedQueue = queues.queue(names.outbox);
  const receipts = queues.queue(names.receipts);
  const shown = new Map<string, ShownMessage & { times: number }>();
  const sent: SentReceipt[] = [];
  let badOnes = 0;
  let silent = false;
  const unsent: SentReceipt[] = [];
  let flushing = false;
  let planned = 0;

  const post = (content: unknown): void =>
    receipts.add({ MessageBody: typeof content === 'string' ? content : JSON.stringify(content) });

  const flush = (): void => {
    flushing = false;
    while (unsent.length > 0) {
      const some = unsent.splice(0, rng.between(1, 20));
      post({ receipts: some });
      if (rng.happens(0.05)) post({ receipts: some });
    }
  };

  const report = (of: ShownMessage, state: SentReceipt['state'], afterMs: number): void => {
    planned += 1;
    time.after(afterMs, () => {
      planned -= 1;
      const { messageId, msisdn } = of;
      const receipt = { messageId, msisdn, state, time: new Date(time.now() - 1_000).toISOString() };
      sent.push(receipt);
      unsent.push(receipt);
      if (flushing) return;
      flushing = true;
      time.after(rng.between(100, 15_000), flush);
    });
  };

  const react = (message: ShownMessage): void => {
    const soon = () => (rng.happens(0.1) ? rng.between(60_000, 1_800_000) : rng.between(500, 20_000));
    const delivered = soon();
    const opened = delivered + soon();
    const habit = rng.pick(habits);
    if (habit !== 'opened only' && habit !== 'nothing') report(message, 'DELIVERED', delivered);
    if (habit === 'both' || habit === 'twice' || habit === 'opened only') report(message, 'OPENED', opened);
    if (habit === 'opened first') report(message, 'OPENED', delivered / 2);
    if (habit === 'twice') {
      report(message, 'DELIVERED', opened + soon());
      report(message, 'OPENED', opened + soon());
    }
  };

  const show = (body: string): void => {
    const { partnerId, payload, messages } = JSON.parse(body);
    for (const { messageId, msisdn } of messages) {
      const known = shown.get(messageId);
      if (known) known.times += 1;
      else {
        const message = { messageId, msisdn, partnerId, text: payload.message };
        shown.set(messageId, { ...message, times: 1 });
        react(message);
      }
    }
  };

  const poll = async (): Promise<void> => {
    if (silent) return;
    const messages = await outbox.client.receive(10, 0, new AbortController().signal);
    for (const message of messages) show(message.Body);
    await outbox.client.remove(messages);
    if (messages.length > 0) log.add(`the wallet platform takes ${messages.length} messages`);
    if (outbox.isReady()) time.after(rng.between(10, 200), poll);
  };
  outbox.whenVisible(() => void time.after(rng.between(10, 200), poll));

  return {
    shown: shown as ReadonlyMap<string, ShownMessage & { readonly times: number }>,
    sent: sent as readonly SentReceipt[],
    badOnes: () => badOnes,
    /** Has reported everything that it will. */
    isIdle: () => planned === 0 && unsent.length === 0,
    /** Takes nothing and reports nothing new until it is over. */
    beSilent: (over: boolean): void => {
      silent = !over;
      if (over) time.after(1, poll);
    },
    /** Reports what never happened: each must be parked. */
    sendNonsense: (): void => {
      const at = new Date(time.now()).toISOString();
      const [some] = shown.values();
      badOnes += 3;
      post('not JSON');
      post({
        receipts: [
          { messageId: 'nobody-sent-this', msisdn: 79_000_000_000, state: 'OPENED', time: at },
          { state: 5 },
        ],
      });
      if (some) {
        badOnes += 1;
        post({
          receipts: [{ messageId: some.messageId, msisdn: some.msisdn + 1, state: 'OPENED', time: at }],
        });
      }
    },
  };
}
