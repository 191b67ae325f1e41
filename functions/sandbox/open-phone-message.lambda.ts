import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { phoneStore } from '../../shared/sandbox/phone-store.ts';
import { openPhoneMessage } from './open-phone-message.ts';

const queue = connectQueue(readEnv('RECEIPTS_QUEUE_URL').RECEIPTS_QUEUE_URL);
export const handler = openPhoneMessage({ ...endpointDeps({ phones: phoneStore }), queue });
