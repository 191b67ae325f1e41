import { Group, Loader, Text } from '@mantine/core';
import { useEffect, useState } from 'react';

/** Answers mostly come before this: a flash of a loader would only disturb. */
const shownAfterMs = 300;

export function Waiting({ what = 'Loading' }: { readonly what?: string }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), shownAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Group role="status" aria-busy mih={36} gap="sm">
      {shown && (
        <>
          <Loader size="sm" />
          <Text>{what} …</Text>
        </>
      )}
    </Group>
  );
}
