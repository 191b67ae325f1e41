import { type EventKind, standardAlertKinds } from '../../events/event.ts';
import { isDataError } from '../../platform/runtime/data-error.ts';
import { alertsEndpointOf } from '../alerts-endpoint.ts';
import { CallbackState } from '../callback.ts';
import type { Endpoint } from './endpoint.ts';
import type { EndpointViews } from './views.ts';

type Owned = { partnerId: string };
type Of<Chosen> = Promise<Map<string, readonly Chosen[]>>;

/** The states that partners have chosen for their callbacks. A partner that has not chosen any wants all. */
export function chosenStates(views: EndpointViews, of: readonly Owned[]): Of<CallbackState> {
  return chosenBy(views, of, {
    endpointOf: (id) => id,
    choice: (endpoint) => endpoint?.states ?? CallbackState.options,
    ifUnreadable: CallbackState.options,
  });
}

/** The kinds of events that partners get as alerts; none if the partner has no address for them. */
export function chosenKinds(views: EndpointViews, of: readonly Owned[]): Of<EventKind> {
  return chosenBy(views, of, {
    endpointOf: alertsEndpointOf,
    choice: (endpoint) => (endpoint ? (endpoint.kinds ?? standardAlertKinds) : []),
    ifUnreadable: standardAlertKinds,
  });
}

type Choosing<Chosen> = {
  endpointOf: (partnerId: string) => string;
  choice: (endpoint: Endpoint | undefined) => readonly Chosen[];
  ifUnreadable: readonly Chosen[];
};

async function chosenBy<Chosen>(
  views: EndpointViews,
  of: readonly Owned[],
  { endpointOf, choice, ifUnreadable }: Choosing<Chosen>,
): Of<Chosen> {
  const chosen = new Map<string, readonly Chosen[]>();
  for (const partnerId of new Set(of.map(({ partnerId }) => partnerId))) {
    try {
      chosen.set(partnerId, choice((await views.of(endpointOf(partnerId))).endpoint));
    } catch (error) {
      // After a rollback the settings may be of a newer version. Throwing would park every state of the partner. The worker
      // that attempts the callbacks cannot read the settings either, and fails these alone.
      if (!isDataError(error)) throw error;
      chosen.set(partnerId, ifUnreadable);
    }
  }
  return chosen;
}
