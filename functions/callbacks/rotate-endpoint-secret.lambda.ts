import { settingsDeps } from '../../shared/callbacks/endpoint/settings.ts';
import { rotateEndpointSecret } from './rotate-endpoint-secret.ts';

export const handler = rotateEndpointSecret(settingsDeps());
