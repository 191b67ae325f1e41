import { sendingDeps } from '../../shared/push/sending/sending-deps.ts';
import { stageRecipients } from '../../shared/sandbox/stage-recipients.ts';
import { sendMessage } from './send-message.ts';

export const handler = sendMessage(sendingDeps(stageRecipients));
