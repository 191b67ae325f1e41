import { Box, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { count } from './figures.tsx';

type Column = {
  /** The day or hour that the column is about. */
  name: string;
  value: number;
  /** Stands below the column. */
  tick?: string | undefined;
};

const height = 64;
const line = '1px solid light-dark(var(--mantine-color-gray-4), var(--mantine-color-dark-3))';
const area = { display: 'flex', alignItems: 'flex-end', borderTop: line, borderBottom: line };

/** Counts over time, on a scale from 0 to the highest. Screen readers have a list of those that are not 0. */
export function Columns({ label, columns }: { label: string; columns: readonly Column[] }) {
  const most = Math.max(...columns.map(({ value }) => value));
  return (
    <div>
      <Text size="xs" mb={6}>
        {label}
      </Text>
      <Group gap={6} align="flex-start" wrap="nowrap">
        <Stack aria-hidden h={height} justify="space-between" align="flex-end" gap={0}>
          {[most, 0].map((value) => (
            <Text key={value} size="xs" c="dimmed" lh={1}>
              {count(value)}
            </Text>
          ))}
        </Stack>
        <Box component="ul" aria-label={label} display="flex" flex={1} m={0} p={0}>
          {columns.map(({ name, value, tick }) => {
            const text = `${name}: ${count(value)}`;
            return (
              <Box component="li" key={name} aria-hidden={value === 0} {...cell}>
                <VisuallyHidden>{text}</VisuallyHidden>
                <Box aria-hidden title={text} h={height} px="8%" style={area}>
                  <Box
                    w="100%"
                    h={`${(100 * value) / most}%`}
                    mih={value > 0 ? 2 : 0}
                    bg="var(--mantine-color-blue-filled)"
                  />
                </Box>
                <Text aria-hidden size="xs" c="dimmed" ta="center" mt={2} style={{ whiteSpace: 'nowrap' }}>
                  {tick}
                </Text>
              </Box>
            );
          })}
        </Box>
      </Group>
    </div>
  );
}

const cell = { display: 'block', flex: '1 1 0', miw: 0, pos: 'relative' } as const;
