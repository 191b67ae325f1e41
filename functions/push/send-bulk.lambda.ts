import { sendingDeps } from '../../shared/push/sending-deps.ts';
import { sendBulk } from './send-bulk.ts';

export const handler = sendBulk(sendingDeps());
