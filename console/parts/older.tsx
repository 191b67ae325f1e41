import { Button, Group } from '@mantine/core';
import { useState } from 'react';

/** The cursor of the page that is shown of a list that comes page by page, newest first. */
export function usePageCursor() {
  const [cursors, set] = useState<readonly string[]>([]);
  return { cursor: cursors.at(-1), cursors, set };
}

type Props = { page: ReturnType<typeof usePageCursor>; next: string | undefined; isLoading: boolean };

/** The buttons to the pages that there are. */
export function OlderAndNewer({ page: { cursors, set }, next, isLoading }: Props) {
  const button = { size: 'xs', variant: 'default', loading: isLoading } as const;
  return (
    <Group mt="sm" gap="xs">
      {cursors.length > 0 && (
        <Button {...button} onClick={() => set(cursors.slice(0, -1))}>
          Newer
        </Button>
      )}
      {next && (
        <Button {...button} onClick={() => set([...cursors, next])}>
          Older
        </Button>
      )}
    </Group>
  );
}
