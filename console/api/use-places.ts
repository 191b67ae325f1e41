import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSession } from '../session/session.tsx';
import type { ApiError } from './api-error.ts';
import type { ResponseTo } from './operations.ts';

type Page = ResponseTo<'GET /places'>;
export type Place = Page['places'][number];

const limit = 500;
const none: readonly Place[] = [];

function placesOf({ pages }: InfiniteData<Page>): readonly Place[] {
  return pages.flatMap(({ places }) => places);
}

/** Reads the service points of the chosen offer page by page. `places` has those that have arrived. */
export function usePlaces() {
  const { call, offerId } = useSession();
  const query = useInfiniteQuery<Page, ApiError, readonly Place[], unknown[], string | undefined>({
    queryKey: ['GET /places', offerId, 'all'],
    enabled: offerId !== undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /places', { query: cursor === undefined ? { limit } : { limit, cursor } }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ cursor }) => cursor,
    select: placesOf,
    // Ten thousand points take a tenth of the partner's request budget, which returning to the tab must not use up.
    staleTime: 10 * 60_000,
    // After a failure the pages that have arrived count as out of date, which "Try again" repairs.
    refetchOnWindowFocus: ({ state }) => state.status !== 'error',
  });
  const { data, error, hasNextPage, isFetching, isError, fetchNextPage, refetch } = query;
  // The effect runs after every render: a busy browser may show none between the request of a page and its arrival. The
  // pages may be read again by then, which the next one must not cancel.
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) fetchNextPage({ cancelRefetch: false });
  });
  // A cursor that is refused for good leads nowhere: the pages are read from the first one.
  const retry = () => (query.isFetchNextPageError && !error?.isFinal ? fetchNextPage() : refetch());
  return { places: data ?? none, isComplete: data !== undefined && !hasNextPage, error, retry };
}
