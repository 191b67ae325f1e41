import { settingsDeps } from '../../shared/callbacks/settings-deps.ts';
import { enableEndpoint } from './enable-endpoint.ts';

export const handler = enableEndpoint(settingsDeps());
