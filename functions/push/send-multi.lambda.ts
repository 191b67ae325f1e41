import { sendingDeps } from '../../shared/push/sending-deps.ts';
import { sendMulti } from './send-multi.ts';

export const handler = sendMulti(sendingDeps());
