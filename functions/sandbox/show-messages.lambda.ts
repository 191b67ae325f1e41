import { connectQueue } from '../../shared/queues/queue.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { showMessages } from './show-messages.ts';

const { RECEIPTS_QUEUE_URL, WALLET_DELAY_SECONDS } = readEnv('RECEIPTS_QUEUE_URL', 'WALLET_DELAY_SECONDS');
const queue = connectQueue(RECEIPTS_QUEUE_URL);
export const handler = showMessages({
  queue,
  clock: systemClock,
  delaySeconds: Number(WALLET_DELAY_SECONDS),
});
