import { settingsDeps } from '../../shared/callbacks/settings-deps.ts';
import { disableEndpoint } from './disable-endpoint.ts';

export const handler = disableEndpoint(settingsDeps());
