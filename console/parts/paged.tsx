import { Group, Pagination, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Input, ResponseTo } from '../api/operations.ts';
import { seldom, useApi } from '../api/use-api.ts';
import { BusyButton } from './buttons.tsx';
import { count } from './figures.tsx';
import { WithResponse } from './response.tsx';

type PagedProps<Item> = {
  items: readonly Item[];
  pageSize?: number;
  children: (shown: readonly Item[]) => ReactNode;
};

/** Shows a long list one page at a time. */
export function Paged<Item>({ items, pageSize = 50, children }: PagedProps<Item>) {
  const [chosen, choose] = useState(1);
  const pages = Math.ceil(items.length / pageSize);
  // A filter may have reduced the number of pages.
  const page = Math.max(1, Math.min(chosen, pages));
  const first = (page - 1) * pageSize;
  const shown = items.slice(first, first + pageSize);
  return (
    <>
      {children(shown)}
      {pages > 1 && (
        <Group mt="sm" justify="space-between">
          <Text c="dimmed">
            {count(first + 1)}–{count(first + shown.length)} of {count(items.length)}
          </Text>
          <Pagination value={page} onChange={choose} total={pages} />
        </Group>
      )}
    </>
  );
}

type List = 'GET /callbacks' | 'GET /events' | 'GET /push';

type PageByPageProps<R extends List> = {
  route: R;
  query: Input<R>['query'];
  /** Whether nothing on the first page can change any more, so that it is not read again. */
  isFinal?: (page: ResponseTo<R> | undefined) => boolean;
  /** Called when the user goes to another page. */
  onTurn?: () => void;
  children: (page: ResponseTo<R>, isFirst: boolean) => ReactNode;
};

/** A list that the service gives page by page, newest first. Only the first page is read again, because older ones stay. */
export function PageByPage<R extends List>(props: PageByPageProps<R>) {
  const { route, query, isFinal, onTurn, children } = props;
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const page = useApi(route, { query: { ...query, cursor } } as Input<R>, {
    ...seldom,
    placeholderData: keepPreviousData,
    refetchInterval: (asked) => !cursor && !isFinal?.(asked.state.data) && seldom.refetchInterval(asked),
  });
  const { cursor: next } = (page.data ?? {}) as { cursor?: string };
  const turning = (name: string, to: readonly string[]) => (
    <BusyButton
      size="xs"
      variant="default"
      busy={page.isPlaceholderData}
      repeats
      onClick={() => {
        setCursors(to);
        onTurn?.();
      }}
    >
      {name}
    </BusyButton>
  );
  return (
    <>
      <WithResponse query={page}>{(shown) => children(shown, !cursor)}</WithResponse>
      <Group mt="sm" gap="xs">
        {cursor && turning('Newer', cursors.slice(0, -1))}
        {next && turning('Older', [...cursors, next])}
      </Group>
    </>
  );
}
