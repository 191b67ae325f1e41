import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { phoneStore } from '../../shared/sandbox/phone-store.ts';
import { stageRecipients } from '../../shared/sandbox/stage-recipients.ts';
import { getPhone } from './get-phone.ts';

const { table, ...deps } = endpointDeps();
const recipients = stageRecipients(table, deps.clock);
export const handler = getPhone({ ...deps, phones: phoneStore(table), recipients });
