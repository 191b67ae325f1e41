import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiError } from '../api/api-error.ts';
import { Failure } from './failure.tsx';
import { Waiting } from './waiting.tsx';

interface Props<Data> {
  readonly query: UseQueryResult<Data, ApiError>;
  readonly what?: string;
  /** What an error of this code means here: that nothing is there yet, say. */
  readonly instead?: Readonly<Record<string, ReactNode>>;
  readonly children: (data: Data) => ReactNode;
}

/** What a query answered: it, or that it is under way, or why it failed. */
export function Answered<Data>({ query, what, instead = {}, children }: Props<Data>) {
  const { data, error, refetch } = query;
  if (error && error.code in instead) return instead[error.code];
  return (
    <>
      <Failure error={error} title="This could not be read" retry={refetch} />
      {data !== undefined && children(data)}
      {data === undefined && !error && <Waiting {...(what === undefined ? {} : { what })} />}
    </>
  );
}
