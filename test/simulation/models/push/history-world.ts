import type { SQSRecord } from 'aws-lambda';
import { pushRig } from '../../../integration/push/push-rig.ts';
import { bakery } from '../../../support/http.ts';
import { type Fault, tableFaults } from '../table-faults.ts';

export type Reported = 'DELIVERED' | 'OPENED';

/** A message as the model knows it: the times a state may have, one once a history has been seen. */
export type Message = {
  messageId: string;
  msisdn: number;
  registered: boolean;
  acceptedAt: number;
  reported: Map<Reported, Set<number>>;
};

export type HistoryModel = {
  messages: Message[];
  registered: Set<number>;
  nowMs: number;
  /** Reasons, by queue message and position. */
  parked: Map<string, string>;
  lastEnvelope?: SQSRecord;
};

const keptMs = 30 * 86_400_000;

export function isKept({ nowMs }: HistoryModel, { acceptedAt }: Message): boolean {
  return nowMs < acceptedAt + keptMs;
}

export async function newHistoryWorld() {
  const rig = await pushRig();
  const faults = tableFaults(rig.table);
  return {
    ...rig,
    asOther: (messageId: string) => rig.history(messageId, { partner: bakery }),
    setRegistered: (msisdn: number, isRegistered: boolean) =>
      rig.deps.recipients.update({
        registered: isRegistered ? [msisdn] : [],
        unregistered: isRegistered ? [] : [msisdn],
      }),
    /** Delivers an envelope until it is taken; the first time may meet a fault. */
    receiveRecord: async (record: SQSRecord, fault: Fault | undefined): Promise<void> => {
      const first = await faults.during(fault, () => rig.handlers.receipts({ Records: [record] }));
      if (first.response.batchItemFailures.length > 0) await rig.handlers.receipts({ Records: [record] });
    },
    parkedReasons: async () =>
      new Map(
        (await rig.table.rows())
          .filter(({ pk }) => pk === 'PARKED#delivery-receipts')
          .map(({ sk, reason }) => [String(sk), String(reason)]),
      ),
  };
}

export type HistoryWorld = Awaited<ReturnType<typeof newHistoryWorld>>;
