import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { recipientStore } from '../../shared/push/recipient-store.ts';
import { updateRecipients } from './update-recipients.ts';

const { table, ...deps } = endpointDeps();
export const handler = updateRecipients({ ...deps, recipients: recipientStore(table) });
