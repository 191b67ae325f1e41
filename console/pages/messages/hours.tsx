import { Box, Group, Stack, Text } from '@mantine/core';
import { count } from '../../parts/count.ts';
import { durationOf, hoursOf, type Report } from '../../parts/funnel.ts';
import { localTime } from '../../parts/time.tsx';

/** How fast a send was delivered and opened: by hour as a picture of each, and in words. */
export function Hours({ report }: { report: Report }) {
  const hours = hoursOf(report);
  const [first, last] = [hours[0], hours.at(-1)];
  if (!first || !last) return null;
  const range = [first, ...(last === first ? [] : [last])].map(({ atMs }) =>
    localTime(new Date(atMs), { dateStyle: 'medium', timeStyle: 'short' }),
  );
  return (
    <Stack role="group" aria-label="By hour" flex="1 1 280px" gap={4}>
      {(['delivered', 'opened'] as const).map((state) => {
        const within = report[`${state}Within`];
        const most = Math.max(...hours.map((hour) => hour[state]));
        if (!within) return <Text key={state} size="xs">{`None was ${state}.`}</Text>;
        return (
          <Box key={state}>
            <Group aria-hidden h={48} gap={1} align="flex-end" wrap="nowrap">
              {hours.map(({ atMs, [state]: many }) => (
                <Box
                  key={atMs}
                  flex={1}
                  maw={32}
                  h={`${(100 * many) / most}%`}
                  mih={many > 0 ? 2 : 0}
                  bg="var(--mantine-color-blue-filled)"
                />
              ))}
            </Group>
            <Text size="xs">
              {`Half were ${state} within ${durationOf(within.p50Seconds)}, 95 % within ${durationOf(within.p95Seconds)}; at most ${count(most)} in an hour.`}
            </Text>
          </Box>
        );
      })}
      <Text size="xs" c="dimmed">
        {range.join(' to ')}, by hour
      </Text>
    </Stack>
  );
}
