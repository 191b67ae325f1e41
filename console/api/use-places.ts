import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useSession } from '../session/session.tsx';
import type { ApiError } from './api-error.ts';
import type { Answer } from './operations.ts';

type Page = Answer<'GET /places'>;
export type Place = Page['places'][number];

/** The most that one answer holds. */
const limit = 500;

/** The service points of the chosen offer, page by page: `places` has those read so far. */
export function usePlaces({ enabled = true } = {}) {
  const { call, offerId } = useSession();
  const query = useInfiniteQuery<Page, ApiError, readonly Page[], unknown[], string | undefined>({
    queryKey: ['GET /places', offerId, 'all'],
    enabled: enabled && offerId !== undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /places', { query: cursor === undefined ? { limit } : { limit, cursor } }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ cursor }) => cursor,
    select: ({ pages }) => pages,
  });
  const { data: pages, hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const places = useMemo(() => pages?.flatMap((page) => page.places) ?? [], [pages]);
  return {
    places,
    isComplete: pages !== undefined && !hasNextPage,
    error: query.error,
    refetch: query.refetch,
  };
}
