import { Group, Pagination, type PaginationProps, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { count } from './count.ts';

type Props<Item> = {
  items: readonly Item[];
  pageSize?: number;
  children: (shown: readonly Item[]) => ReactNode;
};

/** Shows a long list one page at a time. */
export function Paged<Item>({ items, pageSize = 50, children }: Props<Item>) {
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
          <Pages value={page} onChange={choose} total={pages} />
        </Group>
      )}
    </>
  );
}

/** Gives the buttons names for screen readers, which Mantine leaves out. */
export function Pages(props: PaginationProps) {
  return (
    <Pagination
      size="sm"
      {...props}
      getControlProps={(control) => ({ 'aria-label': `${control} page` })}
      getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
    />
  );
}
