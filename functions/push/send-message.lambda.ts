import { sendingDeps } from '../../shared/push/sending-deps.ts';
import { sendMessage } from './send-message.ts';

export const handler = sendMessage(sendingDeps());
