import { sendingDeps } from '../../shared/push/sending/sending-deps.ts';
import { stageRecipients } from '../../shared/sandbox/stage-recipients.ts';
import { sendBulk } from './send-bulk.ts';

export const handler = sendBulk(sendingDeps(stageRecipients));
