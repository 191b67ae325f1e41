import { workerDeps } from '../../shared/platform/queues/worker-deps.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { recordReceipts } from './record-receipts.ts';

export const handler = recordReceipts(workerDeps({ messages: messageStore, states: deliveryStateStore }));
