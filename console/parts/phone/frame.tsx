import { Box, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly name: string;
  readonly children: ReactNode;
}

const metal = 'light-dark(var(--mantine-color-dark-6), var(--mantine-color-dark-3))';

const body = {
  border: `10px solid ${metal}`,
  borderRadius: 40,
  overflow: 'hidden',
  background: 'linear-gradient(160deg, var(--mantine-color-blue-light), var(--mantine-color-grape-light))',
};

/** Something that looks like a phone, whose screen scrolls. */
export function Frame({ name, children }: Props) {
  return (
    <Box component="section" aria-label={name} w="100%" maw={340} mx="auto" style={body}>
      <Group justify="space-between" px="lg" pt="xs">
        <Text size="xs" fw={700}>
          {name}
        </Text>
        <Box w={56} h={14} bg={metal} style={{ borderRadius: 7 }} />
      </Group>
      {/* Scrolls by keyboard, too. */}
      <Box h={500} p="sm" tabIndex={0} style={{ overflowY: 'auto' }} role="region" aria-label="Screen">
        <Stack gap="xs">{children}</Stack>
      </Box>
      <Box w={110} h={4} bg={metal} mx="auto" mb={8} style={{ borderRadius: 2 }} />
    </Box>
  );
}
