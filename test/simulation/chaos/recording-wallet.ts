import type { Call } from '../../../local/engines/json-call.ts';
import { silentLog } from '../../../local/log.ts';
import { startWalletSimulator } from '../../../local/simulators/wallet.ts';
import type { OutboxMessage } from '../../../shared/push/outbox-message.ts';
import type { Receipt } from '../../../shared/push/receipt.ts';
import type { Connection } from './connection.ts';

/** What the wallet platform saw of one message. */
interface Shown {
  readonly partnerId: string;
  readonly msisdn: number;
  /** The text of the push: it names the request it came from. */
  readonly text: string;
  times: number;
}

interface Reported {
  /** Every time (ms) that was reported, also in sends that were not acknowledged. */
  readonly times: Set<number>;
  acknowledged: boolean;
}

export interface WalletRecord {
  readonly shown: Map<string, Shown>;
  /** `<messageId> <state>` */
  readonly reported: Map<string, Reported>;
}

export interface RecordingWallet {
  readonly record: WalletRecord;
  /** Connects to the service, or to the service that was started again. */
  attach(connection: Connection, seed: number): Promise<void>;
  stop(): Promise<void>;
}

interface Received {
  readonly Messages?: readonly { readonly Body: string }[];
}

interface Sent {
  readonly Entries: readonly { readonly MessageBody: string }[];
}

function recordShown({ shown }: WalletRecord, { Messages = [] }: Received): void {
  for (const { Body } of Messages) {
    const { partnerId, payload, messages } = JSON.parse(Body) as OutboxMessage;
    for (const { messageId, msisdn } of messages) {
      const before = shown.get(messageId);
      if (before) before.times += 1;
      else shown.set(messageId, { partnerId, msisdn, text: payload.message, times: 1 });
    }
  }
}

function recordReported({ reported }: WalletRecord, { Entries }: Sent, acknowledged: boolean): void {
  for (const { MessageBody } of Entries) {
    for (const { messageId, state, time } of (JSON.parse(MessageBody) as { receipts: Receipt[] }).receipts) {
      const id = `${messageId} ${state}`;
      const known = reported.get(id) ?? { times: new Set<number>(), acknowledged: false };
      known.times.add(Date.parse(time));
      known.acknowledged ||= acknowledged;
      reported.set(id, known);
    }
  }
}

/** Records what goes through the wallet's two queues, on the wallet's side. */
function recording(record: WalletRecord, sqs: Call): Call {
  return async <Output>(operation: string, input: object, signal?: AbortSignal) => {
    if (operation === 'SendMessageBatch') recordReported(record, input as Sent, false);
    const response = await sqs<Output>(operation, input, signal);
    if (operation === 'SendMessageBatch') recordReported(record, input as Sent, true);
    if (operation === 'ReceiveMessage') recordShown(record, response as Received);
    return response;
  };
}

/** The simulated wallet platform, outside the service: what it saw outlives the service. */
export function createRecordingWallet(): RecordingWallet {
  const record: WalletRecord = { shown: new Map(), reported: new Map() };
  let wallet: Awaited<ReturnType<typeof startWalletSimulator>> | undefined;
  return {
    record,
    attach: async ({ sqs, queues }, seed) => {
      await wallet?.stop();
      wallet = await startWalletSimulator({
        port: 0,
        sqs: recording(record, sqs),
        outboxUrl: queues['push-outbox'] ?? '',
        receiptsUrl: queues['delivery-receipts'] ?? '',
        behavior: { delayMs: 100, duplicateRate: 0.05, reorderRate: 0.05, seed },
        log: silentLog,
      });
    },
    stop: async () => wallet?.stop(),
  };
}
