import { randomUUID } from 'node:crypto';
import { parkedPartition } from '../../../shared/table/keys.ts';
import { type ApiCaller, callApi } from './api-call.ts';
import type { Connection, Row } from './connection.ts';
import { entry, type Ledger } from './ledger.ts';
import { isRegistered, type PushRequest } from './push-flow.ts';
import type { WalletRecord } from './recording-wallet.ts';

const attributes = { DELIVERED: 'deliveredAt', OPENED: 'openedAt' } as const;
type State = keyof typeof attributes;

/** `<messageId> <state>` -> the time that is recorded. */
export function recordedStates(rows: readonly Row[]): Map<string, number> {
  return new Map(
    rows.flatMap((row) =>
      (['DELIVERED', 'OPENED'] as const).flatMap((state) => {
        const at = row[attributes[state]];
        return typeof at === 'number' ? [[`${row['messageId']} ${state}`, at] as const] : [];
      }),
    ),
  );
}

/** Receipts that must be parked: of an unknown message, of another number, and a text that is no receipt. */
export async function sendBadReceipts(
  { sqs, queues }: Connection,
  requests: readonly PushRequest[],
): Promise<number> {
  const time = new Date().toISOString();
  const elements = requests.flatMap((request) => request.elements);
  const known = elements.filter(({ state }) => state === 'ENQUEUED').slice(0, 5);
  const refused = elements.filter(({ msisdn }) => !isRegistered(msisdn)).slice(0, 5);
  const bad = [
    ...Array.from({ length: 5 }, () => ({
      messageId: randomUUID(),
      msisdn: 79_000_000_001,
      state: 'DELIVERED',
      time,
    })),
    ...known.map(({ messageId }) => ({ messageId, msisdn: 79_000_000_001, state: 'DELIVERED', time })),
    ...refused.map(({ messageId, msisdn }) => ({ messageId, msisdn, state: 'OPENED', time })),
    ...known.map(({ messageId, msisdn }) => ({ messageId, msisdn, state: 'LOST', time })),
  ];
  await sqs('SendMessage', {
    QueueUrl: queues['delivery-receipts'],
    MessageBody: JSON.stringify({ receipts: bad }),
  });
  await sqs('SendMessage', { QueueUrl: queues['delivery-receipts'], MessageBody: 'no receipt' });
  return bad.length + 1;
}

interface ReceiptParts {
  readonly states: readonly Row[];
  readonly parked: readonly Row[];
  readonly wallet: WalletRecord;
  readonly badReceipts: number;
}

/** Compares what the wallet platform reported with what is recorded. */
export function receiptLedger({ states, parked, wallet, badReceipts }: ReceiptParts): Ledger {
  const recorded = recordedStates(states);
  const due = [...wallet.reported].filter(([, { acknowledged }]) => acknowledged);
  const missing = due.filter(([id]) => !recorded.has(id)).map(([id]) => id);
  const wrongTime = [...recorded]
    .filter(([id, at]) => !wallet.reported.get(id)?.times.has(at))
    .map(([id, at]) => `${id} at ${new Date(at).toISOString()}`);
  const inPark = parked.filter(({ pk }) => pk === parkedPartition('delivery-receipts')).length;
  const elsewhere = parked
    .filter(({ pk }) => pk !== parkedPartition('delivery-receipts'))
    .map(({ pk, sk }) => `${pk} ${sk}`);
  return {
    entries: [
      entry('receipts that were sent are recorded', due.length, missing),
      entry('recorded states have a time that was reported', recorded.size, wrongTime),
      {
        what: 'receipts that do not fit are parked',
        expected: badReceipts,
        found: inPark,
        wrong: elsewhere,
      },
    ],
    figures: [],
  };
}

/** Of 2026-05-20T15:00:00+0300, whose offset lacks the colon that dates have elsewhere. */
function secondsOf(time: string): number {
  return Date.parse(time.replace(/(\d\d)$/, ':$1')) / 1_000;
}

/** Asks for the histories of some messages as their partner does, and compares them with what is recorded. */
export async function historyLedger(
  callerFor: (partnerId: string) => ApiCaller,
  requests: readonly PushRequest[],
  recorded: ReadonlyMap<string, number>,
): Promise<Ledger> {
  const all = requests.flatMap(({ elements, partnerId }) =>
    elements.map((element) => ({ ...element, partnerId })),
  );
  const step = Math.max(1, Math.floor(all.length / 100));
  const sample = all.filter((_element, n) => n % step === 0);
  const wrong: string[] = [];
  for (const { messageId, partnerId, state } of sample) {
    const { reply } = await callApi(callerFor(partnerId), `GET /push/${messageId}/transactional-state`);
    const { states = [] } = (reply?.body ?? {}) as { states?: { state: string; time: string }[] };
    const expected = (['DELIVERED', 'OPENED'] as const).flatMap((one: State) => {
      const at = recorded.get(`${messageId} ${one}`);
      return at === undefined ? [] : [`${one} ${Math.floor(at / 1_000)}`];
    });
    const found = states
      .filter(({ state: one }) => one !== state)
      .map((one) => `${one.state} ${secondsOf(one.time)}`);
    const isWhole = states.length === expected.length + 1 && states.some((one) => one.state === state);
    if (!isWhole || found.sort().join() !== expected.sort().join()) wrong.push(messageId);
  }
  return {
    entries: [entry('histories (a sample) show them, each state once', sample.length, wrong)],
    figures: [],
  };
}
