import { type EventKind, standardAlertKinds } from '../../events/event.ts';
import { isDataError } from '../../platform/runtime/data-error.ts';
import { alertsEndpointOf } from '../alerts-endpoint.ts';
import { CallbackState } from '../callback.ts';
import type { Endpoint } from './endpoint.ts';
import type { EndpointViews } from './views.ts';

/** The states that a partner has chosen for its callbacks. A partner that has not chosen any wants all. */
export function chosenStates(views: EndpointViews, partnerId: string): Promise<readonly CallbackState[]> {
  const all = CallbackState.options;
  return chosenBy(views, partnerId, (endpoint) => endpoint?.states ?? all, all);
}

/** The kinds of events that a partner gets as alerts; none if it has no address for them. */
export function chosenKinds(views: EndpointViews, partnerId: string): Promise<readonly EventKind[]> {
  const choice = (endpoint?: Endpoint) => (endpoint ? (endpoint.kinds ?? standardAlertKinds) : []);
  return chosenBy(views, alertsEndpointOf(partnerId), choice, standardAlertKinds);
}

async function chosenBy<Chosen>(
  views: EndpointViews,
  endpointId: string,
  choice: (endpoint: Endpoint | undefined) => readonly Chosen[],
  ifUnreadable: readonly Chosen[],
): Promise<readonly Chosen[]> {
  try {
    return choice((await views.of(endpointId)).endpoint);
  } catch (error) {
    // After a rollback the settings may be of a newer version. Throwing would park every state of the partner. The worker
    // that attempts the callbacks cannot read the settings either, and fails these alone.
    if (!isDataError(error)) throw error;
    return ifUnreadable;
  }
}
