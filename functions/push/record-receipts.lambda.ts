import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { workerDeps } from '../../shared/queues/worker-deps.ts';
import { recordReceipts } from './record-receipts.ts';

const { table, ...deps } = workerDeps();
export const handler = recordReceipts({
  ...deps,
  messages: messageStore(table),
  states: deliveryStateStore(table),
});
