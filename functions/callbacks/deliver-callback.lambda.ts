import { deliveryDeps } from '../../shared/callbacks/delivery-deps.ts';
import { guardedClient } from '../../shared/callbacks/guarded-client.ts';
import { addressPolicy } from '../../shared/callbacks/public-address.ts';
import { retrySpeed } from '../../shared/callbacks/retry-schedule.ts';
import { connectQueue } from '../../shared/queues/queue.ts';
import { workerDeps } from '../../shared/queues/worker-deps.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { systemIds as ids } from '../../shared/runtime/ids.ts';
import { deliverCallback } from './deliver-callback.ts';

const env = readEnv('CALLBACKS_QUEUE_URL', 'CALLBACK_ADDRESSES', 'CALLBACK_RETRY_SPEED');
const queue = connectQueue(env.CALLBACKS_QUEUE_URL);
const client = guardedClient(addressPolicy(env.CALLBACK_ADDRESSES));
const outside = { ...workerDeps(), queue, client, ids, retrySpeed: retrySpeed(env.CALLBACK_RETRY_SPEED) };
export const handler = deliverCallback(deliveryDeps(outside));
