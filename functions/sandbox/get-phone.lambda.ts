import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { phoneStore } from '../../shared/push/phone-store.ts';
import { stageRecipients } from '../../shared/push/stage-recipients.ts';
import { getPhone } from './get-phone.ts';

const { table, ...deps } = endpointDeps();
const recipients = stageRecipients(table, deps.clock);
export const handler = getPhone({ ...deps, phones: phoneStore(table), recipients });
