import { Group } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Input, ResponseTo } from '../api/operations.ts';
import { seldom, useApi } from '../api/use-api.ts';
import { BusyButton } from './busy-button.tsx';
import { WithResponse } from './response.tsx';

type List = 'GET /callbacks' | 'GET /events' | 'GET /push';

type Props<R extends List> = {
  route: R;
  query: Input<R>['query'];
  /** Whether nothing on the first page can change any more, so that it is not read again. */
  isFinal?: (page: ResponseTo<R> | undefined) => boolean;
  /** Called when the user goes to another page. */
  onTurn?: () => void;
  children: (page: ResponseTo<R>, isFirst: boolean) => ReactNode;
};

/** A list that the service gives page by page, newest first. Only the first page is read again, because older ones stay. */
export function PageByPage<R extends List>({ route, query, isFinal, onTurn, children }: Props<R>) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const page = useApi(route, { query: { ...query, cursor } } as Input<R>, {
    ...seldom,
    placeholderData: keepPreviousData,
    refetchInterval: (asked) => !cursor && !isFinal?.(asked.state.data) && seldom.refetchInterval(asked),
  });
  const turnTo = (to: readonly string[]) => {
    setCursors(to);
    onTurn?.();
  };
  const next = (page.data as { cursor?: string } | undefined)?.cursor;
  const button = { size: 'xs', variant: 'default', busy: page.isPlaceholderData, repeats: true } as const;
  return (
    <>
      <WithResponse query={page}>{(shown) => children(shown, !cursor)}</WithResponse>
      <Group mt="sm" gap="xs">
        {cursors.length > 0 && (
          <BusyButton {...button} onClick={() => turnTo(cursors.slice(0, -1))}>
            Newer
          </BusyButton>
        )}
        {next && (
          <BusyButton {...button} onClick={() => turnTo([...cursors, next])}>
            Older
          </BusyButton>
        )}
      </Group>
    </>
  );
}
