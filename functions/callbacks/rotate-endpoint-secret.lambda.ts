import { settingsDeps } from '../../shared/callbacks/endpoint/settings-deps.ts';
import { rotateEndpointSecret } from './rotate-endpoint-secret.ts';

export const handler = rotateEndpointSecret(settingsDeps());
