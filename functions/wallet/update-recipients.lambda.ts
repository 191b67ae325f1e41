import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { recipientStore } from '../../shared/push/recipient-store.ts';
import { neverRegisteredBy } from '../../shared/sandbox/test-numbers.ts';
import { updateRecipients } from './update-recipients.ts';

const deps = endpointDeps({ recipients: recipientStore });
const neverRegistered = neverRegisteredBy(readEnv('WALLET').WALLET);
export const handler = updateRecipients({ ...deps, neverRegistered });
