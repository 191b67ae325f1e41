import { Group, Pagination, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface Props<Item> {
  readonly items: readonly Item[];
  readonly pageSize?: number;
  readonly children: (shown: readonly Item[]) => ReactNode;
}

/** A long list, a page at a time. */
export function Paged<Item>({ items, pageSize = 50, children }: Props<Item>) {
  const [chosen, choose] = useState(1);
  const pages = Math.ceil(items.length / pageSize);
  // A filter may have left fewer pages.
  const page = Math.max(1, Math.min(chosen, pages));
  const first = (page - 1) * pageSize;
  const shown = items.slice(first, first + pageSize);
  return (
    <>
      {children(shown)}
      {pages > 1 && (
        <Group mt="sm" justify="space-between">
          <Text size="sm" c="dimmed">
            {first + 1}–{first + shown.length} of {items.length.toLocaleString('en-GB')}
          </Text>
          <Pagination
            size="sm"
            value={page}
            onChange={choose}
            total={pages}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
            getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
          />
        </Group>
      )}
    </>
  );
}
