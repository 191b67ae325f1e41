import { settingsDeps } from '../../shared/callbacks/endpoint/settings.ts';
import { retireEndpointSecret } from './retire-endpoint-secret.ts';

export const handler = retireEndpointSecret(settingsDeps());
