import { settingsDeps } from '../../shared/callbacks/endpoint/settings-deps.ts';
import { enableEndpoint } from './enable-endpoint.ts';

export const handler = enableEndpoint(settingsDeps());
