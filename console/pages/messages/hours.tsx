import { Box, Group, Text } from '@mantine/core';
import { count } from '../../parts/count.ts';
import { durationOf, hoursOf, type Report } from '../../parts/funnel.ts';
import { localTime } from '../../parts/time.tsx';

const colors = { delivered: 'gray-6', opened: 'blue-filled' } as const;
const states = ['delivered', 'opened'] as const;

/** How fast a send was delivered and opened: in words, and by hour as a picture. */
export function Hours({ report }: { report: Report }) {
  const hours = hoursOf(report);
  const [first, last] = [hours[0], hours.at(-1)];
  if (!first || !last) return null;
  const mostOf = (state: (typeof states)[number]) => Math.max(...hours.map((hour) => hour[state]));
  const most = Math.max(...states.map(mostOf));
  const range = [first, last].map(({ atMs }) =>
    localTime(new Date(atMs), { dateStyle: 'medium', timeStyle: 'short' }),
  );
  return (
    <Box role="group" aria-label="By hour" flex="1 1 280px">
      <Group aria-hidden h={96} gap={1} align="flex-end" wrap="nowrap">
        {hours.map((hour) => (
          <Group key={hour.atMs} flex={1} maw={32} h="100%" gap={0} align="flex-end" wrap="nowrap">
            {states.map((state) => (
              <Column key={state} state={state} share={(100 * hour[state]) / most} />
            ))}
          </Group>
        ))}
      </Group>
      <Text size="xs" c="dimmed">
        {first === last ? range[0] : `${range[0]} to ${range[1]}`}, by hour
      </Text>
      {states.map((state) => {
        const within = report[`${state}Within`];
        return (
          <Group key={state} gap={6} wrap="nowrap" align="flex-start">
            <Box aria-hidden w={10} h={10} mt={5} bg={`var(--mantine-color-${colors[state]})`} flex="none" />
            <Text size="xs">
              {within
                ? `Half were ${state} within ${durationOf(within.p50Seconds)}, 95 % within ${durationOf(within.p95Seconds)}; at most ${count(mostOf(state))} in an hour.`
                : `None was ${state}.`}
            </Text>
          </Group>
        );
      })}
    </Box>
  );
}

/** What is more than nothing can be seen. */
function Column({ state, share }: { state: keyof typeof colors; share: number }) {
  return (
    <Box flex={1} h={`${share}%`} mih={share > 0 ? 2 : 0} bg={`var(--mantine-color-${colors[state]})`} />
  );
}
