import { endpointDeps } from '../http/endpoint-deps.ts';
import { endpointSettings } from './endpoint-settings.ts';
import { endpointStore } from './endpoint-store.ts';

/** The dependencies of the endpoints that change how a partner is called back. */
export function settingsDeps() {
  const deps = endpointDeps({ endpoints: endpointStore });
  return { ...deps, settings: endpointSettings(deps) };
}
