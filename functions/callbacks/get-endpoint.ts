import type { CallbackLog } from '../../shared/callbacks/endpoint/endpoint.ts';
import {
  EndpointView,
  endpointNotSet,
  shownCircuit,
  shownNotice,
  shownSettings,
} from '../../shared/callbacks/endpoint/shown.ts';
import type { EndpointStore } from '../../shared/callbacks/endpoint/store.ts';
import type { CallbackList } from '../../shared/callbacks/listing/list.ts';
import { partner } from '../../shared/partners/callers.ts';
import { type EndpointDeps, endpoint } from '../../shared/platform/http/endpoint.ts';
import { ok, operation } from '../../shared/platform/http/operation.ts';

export const getEndpointOperation = operation({
  id: 'GetEndpoint',
  route: 'GET /callbacks/endpoint',
  caller: partner([]),
  response: EndpointView,
  failures: ['ENDPOINT_NOT_SET'],
});

type Deps = EndpointDeps & {
  endpoints: Pick<EndpointStore, 'view' | 'notices'>;
  list: Pick<CallbackList, 'count'>;
  logByDefault: CallbackLog;
};

/** The partner's endpoint, its health, and what happened to it. */
export function getEndpoint(deps: Deps) {
  return endpoint(getEndpointOperation, deps, async ({ callerId }) => {
    const nowMs = deps.clock.now();
    const view = await deps.endpoints.view(callerId, { consistent: true });
    if (!view.endpoint) return endpointNotSet;
    const [notices, counts] = await Promise.all([
      deps.endpoints.notices(callerId, nowMs),
      deps.list.count(callerId, nowMs),
    ]);
    return ok({
      ...shownSettings(view.endpoint, deps.logByDefault),
      circuit: shownCircuit(view.circuit, nowMs),
      ...counts,
      secrets: view.endpoint.signingSecrets.map(({ createdAt }) => ({
        createdAt: new Date(createdAt).toISOString(),
      })),
      notices: notices.map(shownNotice),
    });
  });
}
