import { endpointDeps } from '../../http/endpoint-deps.ts';
import { endpointSettings } from './settings.ts';
import { endpointStore } from './store.ts';

/** The dependencies of the endpoints that change how a partner is called back. */
export function settingsDeps() {
  const deps = endpointDeps({ endpoints: endpointStore });
  return { ...deps, settings: endpointSettings(deps) };
}
