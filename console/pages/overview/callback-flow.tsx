import { Box, Group, Text, ThemeIcon } from '@mantine/core';
import type { ResponseTo } from '../../api/operations.ts';
import { Interruption } from '../../parts/endpoint.tsx';

type Endpoint = ResponseTo<'GET /callbacks/endpoint'>;

/** The sign, its colour, the line and the words of each state. */
const flows = {
  unset: ['–', 'gray', 'dotted', 'No endpoint is set, so states of messages are not called back.'],
  disabled: ['✕', 'red', 'dotted', 'Nothing is sent, because the endpoint is disabled'],
  feed: ['✓', 'green', 'solid', 'Callbacks are in your feed.'],
  paused: ['!', 'red', 'dashed', 'Callbacks are paused'],
  tried: ['?', 'yellow', 'dashed', 'Callbacks are sent one at a time'],
  paced: ['…', 'yellow', 'solid', 'Callbacks are sent at your pace, and some wait.'],
  retried: ['…', 'yellow', 'solid', 'Callbacks are sent, and some wait for a retry.'],
  sent: ['✓', 'green', 'solid', 'Callbacks are sent to your endpoint.'],
} as const;

export function flowOf(endpoint: Endpoint | undefined): keyof typeof flows {
  if (!endpoint) return 'unset';
  const { mode, status, circuit, waiting, paceWaitingSince } = endpoint;
  if (status === 'DISABLED') return 'disabled';
  if (mode === 'feed') return 'feed';
  if (circuit.state === 'OPEN') return 'paused';
  if (circuit.state === 'HALF_OPEN') return 'tried';
  if (paceWaitingSince !== undefined) return 'paced';
  return waiting > 0 ? 'retried' : 'sent';
}

/** Whether callbacks get through, as a line from the service to the endpoint. */
export function CallbackFlow({ endpoint }: { endpoint?: Endpoint }) {
  const flow = flowOf(endpoint);
  const [sign, color, line, words] = flows[flow];
  const half = <Box flex={1} style={{ borderTop: `3px ${line} var(--mantine-color-${color}-filled)` }} />;
  return (
    <Box mb="sm">
      <Group aria-hidden gap={6} mb={6} wrap="nowrap">
        <End>Service</End>
        {half}
        <ThemeIcon color={color} radius="xl" fw={700}>
          {sign}
        </ThemeIcon>
        {half}
        <End>{flow === 'feed' ? 'Your feed' : 'Your endpoint'}</End>
      </Group>
      <Text fw={600}>
        {words}{' '}
        {endpoint && (flow === 'paused' || flow === 'tried') && <Interruption {...endpoint.circuit} />}
        {flow === 'disabled' && `(${endpoint?.reason})`}
      </Text>
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
