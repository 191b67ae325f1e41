import { settingsDeps } from '../../shared/callbacks/settings-deps.ts';
import { rotateEndpointSecret } from './rotate-endpoint-secret.ts';

export const handler = rotateEndpointSecret(settingsDeps());
