import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { systemClock } from '../../shared/platform/runtime/clock.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { connectTable } from '../../shared/platform/table/table.ts';
import { phoneStore } from '../../shared/sandbox/phone-store.ts';
import { showMessages } from './show-messages.ts';

const env = readEnv('TABLE_NAME', 'DEVICE_REPORTS_QUEUE_URL', 'WALLET_DELAY_SECONDS');
export const handler = showMessages({
  queue: connectQueue(env.DEVICE_REPORTS_QUEUE_URL),
  phones: phoneStore(connectTable(env.TABLE_NAME)),
  clock: systemClock,
  delaySeconds: Number(env.WALLET_DELAY_SECONDS),
});
