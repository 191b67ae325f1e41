import { logByDefault } from '../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import {
  endpointNotSet,
  ShownEndpoint,
  shownCircuit,
  shownNotice,
  shownPlaceInLine,
  shownSecrets,
  shownSettings,
} from '../../shared/callbacks/endpoint/shown-endpoint.ts';
import { examinedStore } from '../../shared/callbacks/examination/examined-store.ts';
import { callbackList } from '../../shared/callbacks/listing/list.ts';
import { eventStore } from '../../shared/events/event-store.ts';
import { partner } from '../../shared/partners/callers.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';

export const getEndpointOperation = operation({
  id: 'GetEndpoint',
  route: 'GET /callbacks/endpoint',
  caller: partner([]),
  requests: 2,
  response: ShownEndpoint,
  failures: ['ENDPOINT_NOT_SET'],
});

/** The partner's endpoint, its health, and what happened to it. */
export function getEndpoint(deps = connect()) {
  return httpHandler(getEndpointOperation, deps, async ({ partnerId }) => {
    const nowMs = deps.clock.now();
    const view = await deps.endpoints.view(partnerId, { consistent: true });
    if (!view.endpoint) return endpointNotSet;
    const [notices, counts, examined] = await Promise.all([
      deps.events.notices(partnerId, nowMs),
      deps.list.count(partnerId, nowMs),
      deps.examined.find(view.endpoint),
    ]);
    return ok({
      ...shownSettings(view.endpoint, deps.logByDefault),
      circuit: shownCircuit(view.circuit, nowMs),
      ...counts,
      paceWaitingSince: shownPlaceInLine(view, nowMs),
      secrets: shownSecrets(view.endpoint),
      notices: notices.map(shownNotice),
      examined: examined && {
        at: new Date(examined.at).toISOString(),
        failed: examined.failed,
        skipped: examined.skipped,
      },
    });
  });
}

function connect() {
  const deps = httpDeps({
    endpoints: endpointStore,
    list: callbackList,
    examined: examinedStore,
    events: eventStore,
  });
  return { ...deps, logByDefault: logByDefault(readEnv('WALLET')) };
}
