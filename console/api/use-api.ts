import { type UseQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSession } from '../session/session.tsx';
import type { ApiError } from './api-error.ts';
import type { Answer, Input, ReadRoute, Route } from './operations.ts';

type QueryOptions<R extends ReadRoute> = Omit<UseQueryOptions<Answer<R>, ApiError>, 'queryKey' | 'queryFn'>;

export function useApi<R extends ReadRoute>(route: R, input: Input<R>, options: QueryOptions<R> = {}) {
  const { call, offerId } = useSession();
  return useQuery<Answer<R>, ApiError>({
    ...options,
    queryKey: [route, offerId, input],
    queryFn: ({ signal }) => call(route, input, { signal }),
  });
}

/** For `refetchInterval`: again after `ms`, but not what is refused for good. */
export function every(ms: number) {
  return ({ state: { error } }: { state: { error: ApiError | null } }) => {
    const isRefused = error !== null && error.status >= 400 && error.status < 500 && error.status !== 429;
    return isRefused ? false : ms;
  };
}

const seldomMs = 15_000;

/**
 * For what a tab shows for hours: it asks again after 15 s at the earliest, and only while the tab is visible (which
 * TanStack Query sees to).
 */
export const seldom = { staleTime: seldomMs, refetchInterval: every(seldomMs) };

/** What is sent under the same key again is done once, however often it is sent. */
type Keyed = { idempotencyKey?: string };

/** Sends a request, then reads again what `changes` names: a refusal, too, may mean that it has changed. */
export function useSend<R extends Route>(route: R, changes: readonly ReadRoute[] = []) {
  const { call } = useSession();
  const queries = useQueryClient();
  return useMutation<Answer<R>, ApiError, Input<R> & Keyed>({
    mutationFn: ({ idempotencyKey, ...input }) =>
      call(
        route,
        input as unknown as Input<R>,
        idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } },
      ),
    onSettled: () =>
      Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey: [queryKey] }))),
  });
}
