import { connectQueue } from '../../shared/queues/queue.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { phoneStore } from '../../shared/sandbox/phone-store.ts';
import { connectTable } from '../../shared/table/table.ts';
import { showMessages } from './show-messages.ts';

const env = readEnv('TABLE_NAME', 'DEVICE_REPORTS_QUEUE_URL', 'WALLET_DELAY_SECONDS');
export const handler = showMessages({
  queue: connectQueue(env.DEVICE_REPORTS_QUEUE_URL),
  phones: phoneStore(connectTable(env.TABLE_NAME)),
  clock: systemClock,
  delaySeconds: Number(env.WALLET_DELAY_SECONDS),
});
