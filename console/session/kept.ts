import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/**
 * State that outlives its page and is gone with the session: in memory, never stored. Components that give the same
 * name share it.
 */
export function useKept<Value>(name: string, initial: Value) {
  const queries = useQueryClient();
  const { data } = useQuery<Value>({
    queryKey: ['kept', name],
    queryFn: skipToken,
    initialData: initial,
    gcTime: Number.POSITIVE_INFINITY,
    // Values are replaced whole: what is equal in two of them is not looked for.
    structuralSharing: false,
  });
  const set = useCallback(
    (change: (before: Value) => Value) =>
      queries.setQueryData<Value>(['kept', name], (before) => change(before ?? initial)),
    [queries, name, initial],
  );
  return [data as Value, set] as const;
}
