import { Box, Group, Text } from '@mantine/core';
import type { ResponseTo } from '../../api/operations.ts';

type Endpoint = ResponseTo<'GET /callbacks/endpoint'>;

/** The sign, its colour, the line and the words of each state. */
const flows = {
  flows: ['✓', 'green', 'solid', 'Callbacks are sent to your endpoint.'],
  read: ['✓', 'green', 'solid', 'Callbacks are in the feed, where you read them.'],
  paced: ['…', 'yellow', 'solid', 'Some callbacks wait for the pace that you set.'],
  retries: ['!', 'yellow', 'solid', 'Some callbacks wait for a retry.'],
  trying: ['?', 'yellow', 'dashed', 'One callback at a time tries your endpoint.'],
  paused: ['II', 'red', 'dashed', 'Callbacks are paused after failures.'],
  disabled: ['✕', 'red', 'dotted', 'Disabled: callbacks are kept, none is sent.'],
} as const;

function flowOf({ mode, status, circuit, waiting, paceWaitingSince }: Endpoint): keyof typeof flows {
  if (status === 'DISABLED') return 'disabled';
  if (mode === 'feed') return 'read';
  if (circuit.state === 'OPEN') return 'paused';
  if (circuit.state === 'HALF_OPEN') return 'trying';
  if (paceWaitingSince !== undefined) return 'paced';
  return waiting > 0 ? 'retries' : 'flows';
}

/** Whether callbacks get through, as a line between the service and the endpoint. */
export function CallbackFlow({ endpoint }: { endpoint: Endpoint }) {
  const [sign, color, line, words] = flows[flowOf(endpoint)];
  const lineStyle = { borderTop: `3px ${line} var(--mantine-color-${color}-filled)` };
  return (
    <Box mb="sm">
      <Group aria-hidden gap={6} wrap="nowrap" mb={4}>
        <End>Service</End>
        <Box flex={1} style={lineStyle} />
        <Text
          w={28}
          h={28}
          lh="26px"
          ta="center"
          fw={700}
          style={{ border: `2px solid var(--mantine-color-${color}-filled)`, borderRadius: '50%' }}
        >
          {sign}
        </Text>
        <Box flex={1} style={lineStyle} />
        <End>{endpoint.mode === 'feed' ? 'Feed' : 'Endpoint'}</End>
      </Group>
      <Text fw={600}>{words}</Text>
    </Box>
  );
}

function End({ children }: { children: string }) {
  return (
    <Text size="xs" px={8} py={4} style={{ border: '1px solid currentColor', borderRadius: 6 }}>
      {children}
    </Text>
  );
}
