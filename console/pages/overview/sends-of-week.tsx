import { Box, Group, Stack, Text } from '@mantine/core';
import { every, useApi } from '../../api/use-api.ts';
import { count, shortCount } from '../../parts/count.ts';
import { WithResponse } from '../../parts/response.tsx';
import { type Day, weekOf } from './week.ts';

/** The most that one page of the list takes: 51 read units, so it is read once a minute. */
const limit = 100;
const againMs = 60_000;

export function useNewestSends({ enabled = true } = {}) {
  const fresh = { staleTime: againMs, refetchInterval: every(againMs) };
  return useApi('GET /push', { query: { limit } }, { enabled, ...fresh });
}

export function SendsOfWeek() {
  return (
    <WithResponse query={useNewestSends()}>
      {({ sends, cursor }) => {
        const days = weekOf(sends);
        // More sends may follow, of which those of this week are missing.
        const isCut = cursor !== undefined && weekOf(sends.slice(-1)).some((day) => day.sends > 0);
        return (
          <Stack gap="sm">
            <Chart days={days} />
            <Text>
              {sentenceOf(days)}
              {isCut && ` These are the newest ${limit} sends only.`}
            </Text>
          </Stack>
        );
      }}
    </WithResponse>
  );
}

function sentenceOf(days: readonly Day[]): string {
  const sends = days.reduce((sum, day) => sum + day.sends, 0);
  const recipients = days.reduce((sum, day) => sum + day.recipients, 0);
  if (sends === 0) return 'Nothing was sent to more than one number.';
  return `${count(sends)} ${sends === 1 ? 'send' : 'sends'} to ${count(recipients)} recipients. Single messages are not counted.`;
}

const chartHeight = 96;

/** A column for each day: its recipients as a bar, and as a number above it. */
function Chart({ days }: { days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ recipients }) => recipients));
  return (
    <Group component="ul" aria-label="Recipients by day" gap={6} align="flex-end" wrap="nowrap" m={0} p={0}>
      {days.map(({ name, recipients }) => (
        <Box key={name} component="li" flex={1} miw={0} ta="center" style={{ listStyle: 'none' }}>
          <Text size="xs" title={`${count(recipients)} recipients`}>
            {recipients === 0 ? '' : shortCount(recipients)}
          </Text>
          <Box
            aria-hidden
            h={recipients === 0 ? 2 : Math.max(4, (chartHeight * recipients) / most)}
            bg={`var(--mantine-color-${recipients === 0 ? 'gray-6' : 'blue-filled'})`}
            style={{ borderRadius: '3px 3px 0 0' }}
          />
          <Text size="xs" c="dimmed">
            {name}
          </Text>
        </Box>
      ))}
    </Group>
  );
}
