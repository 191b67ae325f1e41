import { sendingDeps } from '../../shared/push/sending/sending-deps.ts';
import { stageRecipients } from '../../shared/sandbox/stage-recipients.ts';
import { sendMulti } from './send-multi.ts';

export const handler = sendMulti(sendingDeps(stageRecipients));
