import type { Clock } from '../../platform/runtime/clock.ts';
import type { EndpointStore, EndpointView } from './store.ts';

/** An instance uses a view of an endpoint for this long before it reads it again. */
export const viewKeptMs = 5_000;
/** This long after a change of an endpoint no instance uses an older view any more. */
export const settlesMs = 2 * viewKeptMs;
export const maxViews = 1_000;

type ViewsDeps = { endpoints: Pick<EndpointStore, 'view'>; clock: Clock };
type Known = { view: Promise<EndpointView>; readAt: number };

/** Caches views of endpoints in memory for a few seconds, so that an instance reads each once in that time. */
export function endpointViews({ endpoints, clock }: ViewsDeps) {
  const views = new Map<string, Known>();
  return {
    of: (partnerId: string, read = {}): Promise<EndpointView> => {
      const known = views.get(partnerId);
      if (known && clock.now() - known.readAt < viewKeptMs) return known.view;
      if (views.size >= maxViews) views.clear();
      const view = endpoints.view(partnerId, read);
      views.set(partnerId, { view, readAt: clock.now() });
      // A failed read is not remembered; its error goes to whoever awaits the view.
      view.catch(() => views.delete(partnerId));
      return view;
    },

    /** Replaces a part of the view by the result of a write. The rest of the view stays as old as it was. */
    remember: async (partnerId: string, part: Partial<EndpointView>): Promise<void> => {
      const known = views.get(partnerId);
      if (!known) return;
      // Set before the read has ended, so that a part remembered meanwhile is added to this one.
      const view = known.view.then((seen) => ({ ...seen, ...part }));
      views.set(partnerId, { ...known, view });
      await view;
    },

    forget: (partnerId: string): void => void views.delete(partnerId),
  };
}

export type EndpointViews = ReturnType<typeof endpointViews>;
