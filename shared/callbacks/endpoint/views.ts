import { BoundedMap } from '../../platform/runtime/bounded-map.ts';
import type { Clock } from '../../platform/runtime/clock.ts';
import { isDataError } from '../../platform/runtime/data-error.ts';
import type { EndpointStore, EndpointView } from './endpoint-store.ts';
import { viewKeptMs } from './view-age.ts';

type ViewsDeps = { endpoints: Pick<EndpointStore, 'view'>; clock: Clock };
type Known = { view: Promise<EndpointView>; readAt: number; consistent: boolean };

/** The 240 workers together then read a partition 960 times a second at most, which has 3,000 units. */
const consistentKeptMs = 250;

/** Caches views of endpoints in memory for a few seconds, so that an instance reads each once in that time. */
export function endpointViews({ endpoints, clock }: ViewsDeps) {
  const views = new BoundedMap<string, Known>();
  return {
    /** A consistent view is a quarter of a second old at most. */
    of: (endpointId: string, { consistent = false } = {}): Promise<EndpointView> => {
      const known = views.get(endpointId);
      const keptMs = consistent ? consistentKeptMs : viewKeptMs;
      if (known && known.consistent >= consistent && clock.now() - known.readAt < keptMs) return known.view;
      const view = endpoints.view(endpointId, { consistent });
      views.set(endpointId, { view, readAt: clock.now(), consistent });
      // A read that failed is made again, but for settings that cannot be parsed. Its error goes to whoever awaits the view.
      view.catch((error) => isDataError(error) || views.delete(endpointId));
      return view;
    },

    /** Replaces a part of the view by the result of a write. The rest of the view stays as old as it was. */
    remember: async (endpointId: string, part: Partial<EndpointView>): Promise<void> => {
      const known = views.get(endpointId);
      if (!known) return;
      // Set before the read has ended, so that a part remembered meanwhile is added to this one.
      const view = known.view.then((seen) => ({ ...seen, ...part }));
      views.set(endpointId, { ...known, view });
      await view;
    },

    forget: (endpointId: string): void => {
      views.delete(endpointId);
    },
  };
}

export type EndpointViews = ReturnType<typeof endpointViews>;
