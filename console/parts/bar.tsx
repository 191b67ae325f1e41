import { Box } from '@mantine/core';

const colors = { grey: 'gray-6', blue: 'blue-filled', orange: 'orange-filled' } as const;

/** The picture of a number that stands beside it; `share` is in percent. What is more than nothing can be seen. */
export function Bar({ share, color = 'blue' }: { share: number; color?: keyof typeof colors }) {
  return (
    <Box aria-hidden bg="var(--mantine-color-default-hover)" style={{ borderRadius: 3 }}>
      <Box
        h={12}
        w={`${share}%`}
        miw={share > 0 ? 3 : 0}
        bg={`var(--mantine-color-${colors[color]})`}
        style={{ borderRadius: 3 }}
      />
    </Box>
  );
}
