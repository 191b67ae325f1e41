import { settingsDeps } from '../../shared/callbacks/endpoint/settings.ts';
import { enableEndpoint } from './enable-endpoint.ts';

export const handler = enableEndpoint(settingsDeps());
