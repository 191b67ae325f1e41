import { type UseQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useSession } from '../session/session.tsx';
import type { ApiError } from './api-error.ts';
import type { Input, ReadRoute, ResponseTo, Route } from './operations.ts';

type QueryOptions<R extends ReadRoute> = Omit<
  UseQueryOptions<ResponseTo<R>, ApiError>,
  'queryKey' | 'queryFn'
>;

export function useApi<R extends ReadRoute>(route: R, input: Input<R>, options: QueryOptions<R> = {}) {
  const { call, offerId } = useSession();
  return useQuery<ResponseTo<R>, ApiError>({
    ...options,
    queryKey: [route, offerId, input],
    queryFn: ({ signal }) => call(route, input, { signal }),
  });
}

/** A `refetchInterval` of `ms` that ends when the service refuses the request for good. */
export function every(ms: number) {
  return ({ state }: { state: { error: ApiError | null } }) => (state.error?.isFinal ? false : ms);
}

const seldomMs = 15_000;

/** Options for data that a tab shows for hours. It is read again every 15 s, and only while the tab is visible. */
export const seldom = { staleTime: seldomMs, refetchInterval: every(seldomMs) };

type SendOptions<R extends Route> = {
  /** The service does a request only once while the component is there, even if it is sent again after a lost response. */
  once?: boolean;
  /**
   * Gets the response, also if the dialog that sent the request was closed, or its page was left. The callbacks of `mutate`
   * are not called then: they close the dialog, so that a late response does not close one that was opened since.
   */
  onDone?: (response: ResponseTo<R>) => void;
};

/** Sends a request, then reads `changes` again: even a refusal may mean that they have changed. */
export function useSend<R extends Route>(
  route: R,
  changes: readonly ReadRoute[] = [],
  { once = false, onDone }: SendOptions<R> = {},
) {
  const { call } = useSession();
  const queries = useQueryClient();
  const keys = useRef(new Map<string, string>());
  function keyOf(input: Input<R>): string {
    const request = JSON.stringify(input);
    const key = keys.current.get(request) ?? crypto.randomUUID();
    keys.current.set(request, key);
    return key;
  }
  return useMutation<ResponseTo<R>, ApiError, Input<R>>({
    mutationFn: (input) => call(route, input, once ? { headers: { 'idempotency-key': keyOf(input) } } : {}),
    onSuccess: (response) => onDone?.(response),
    onSettled: () =>
      Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey: [queryKey] }))),
  });
}
