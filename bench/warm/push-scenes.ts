import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { recipientStore } from '../../shared/push/recipient-store.ts';
import type { Table } from '../../shared/table/table.ts';
import { partnerId, type Scene } from './scene.ts';

const firstNumber = 79_001_234_567;

export function numbers(count: number) {
  return Array.from({ length: count }, (_, n) => firstNumber + n);
}

export function registered(count: number) {
  return (table: Table) => recipientStore(table).update({ registered: numbers(count), unregistered: [] });
}

export const content = {
  pushType: 'SERVICE' as const,
  payload: { title: 'Ваши баллы', message: 'Начислено 120 баллов' },
  qos: { deliveryStatusNotifications: true },
};

async function openedMessage(table: Table): Promise<void> {
  const [msisdn = 0] = numbers(1);
  const acceptedAt = Date.now();
  const messageId = '3f1c9a52-7c1e-4b8f-9a35-0d6f2f6f8a11';
  const message = { messageId, partnerId, msisdn, registered: true, content, acceptedAt };
  await messageStore(table).saveSingle(message);
  await deliveryStateStore(table).record(message, 'DELIVERED', acceptedAt + 1_000);
  await deliveryStateStore(table).record(message, 'OPENED', acceptedAt + 2_000);
}

function allEnqueued(count: number) {
  return (response: { state: string }[]) =>
    response.length === count && response.every(({ state }) => state === 'ENQUEUED');
}

function sendBulkOf(size: number): Scene {
  return {
    what: `SendBulk, ${size.toLocaleString('en')} recipients`,
    functionId: 'SendBulk',
    hasBudget: false,
    size,
    seed: registered(size),
    request: () => ({ body: { ...content, msisdn: numbers(size) } }),
    isRight: allEnqueued(size),
  };
}

function sendMultiOf(size: number): Scene {
  return {
    what: `SendMulti, ${size} messages`,
    functionId: 'SendMulti',
    hasBudget: false,
    size,
    seed: registered(size),
    request: () => ({ body: numbers(size).map((msisdn) => ({ ...content, msisdn })) }),
    isRight: allEnqueued(size),
  };
}

/** C1 to C4. */
export const pushScenes: readonly Scene[] = [
  {
    what: 'SendMessage',
    functionId: 'SendMessage',
    hasBudget: true,
    seed: registered(1),
    isRight: (response: { state: string }) => response.state === 'ENQUEUED',
  },
  {
    what: 'SendBulk, 2 recipients',
    functionId: 'SendBulk',
    hasBudget: true,
    size: 2,
    seed: registered(3),
    isRight: allEnqueued(2),
  },
  ...[100, 1_000].map(sendBulkOf),
  {
    what: 'SendMulti, 2 messages',
    functionId: 'SendMulti',
    hasBudget: true,
    size: 2,
    seed: registered(3),
    isRight: allEnqueued(2),
  },
  ...[20, 100].map(sendMultiOf),
  {
    what: 'GetDeliveryHistory, 3 states',
    functionId: 'GetDeliveryHistory',
    hasBudget: true,
    seed: openedMessage,
    isRight: (response: { states: { state: string }[] }) =>
      response.states.map(({ state }) => state).join() === 'ENQUEUED,DELIVERED,OPENED',
  },
];
