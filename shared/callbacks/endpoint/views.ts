import type { Clock } from '../../platform/runtime/clock.ts';
import type { EndpointStore, EndpointView } from './store.ts';

/** How long an instance trusts what it has read of an endpoint. */
export const viewKeptMs = 5_000;
export const maxViews = 1_000;

type Known = { view: Promise<EndpointView>; readAt: number };

/** What an instance knows of endpoints, in memory for a few seconds: one read per instance and view. */
export function endpointViews({
  endpoints,
  clock,
}: {
  endpoints: Pick<EndpointStore, 'view'>;
  clock: Clock;
}) {
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

    /** Keeps what a write has made of a part of the view, which is as old as before. */
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
