import { settingsDeps } from '../../shared/callbacks/endpoint/settings.ts';
import { disableEndpoint } from './disable-endpoint.ts';

export const handler = disableEndpoint(settingsDeps());
