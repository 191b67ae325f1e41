import { Stack, Text } from '@mantine/core';
import { every, useApi } from '../../api/use-api.ts';
import { Columns } from '../../parts/columns.tsx';
import { count, Time } from '../../parts/figures.tsx';
import { WithResponse } from '../../parts/response.tsx';
import { weekOf } from './week.ts';

/** This many sends take 51 read units, so an open page reads them seldom. Opening it, and sending here, reads them again. */
const limit = 100;
const againMs = 10 * 60_000;

export function SendsOfWeek() {
  const sends = useApi(
    'GET /push',
    { query: { limit } },
    { refetchInterval: every(againMs), refetchOnMount: 'always' },
  );
  return (
    <WithResponse query={sends}>
      {(page) => <Week {...weekOf(page, new Date(sends.dataUpdatedAt))} />}
    </WithResponse>
  );
}

function Week({ days, since }: ReturnType<typeof weekOf>) {
  const total = (of: 'sends' | 'recipients') => days.reduce((sum, day) => sum + day[of], 0);
  const sends = total('sends');
  if (sends === 0) return <Text>Nothing was sent to more than one number.</Text>;
  return (
    <Stack gap="xs">
      <Columns
        label="Recipients by day"
        columns={days.map(({ day, recipients }) => ({
          name: day.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' }),
          value: recipients,
          tick: day.toLocaleDateString('en-GB', { weekday: 'short' }),
        }))}
      />
      <Text>
        {count(sends, 'send')} to {count(total('recipients'), 'recipient')}, by the day of the request. Single
        messages are not counted.
      </Text>
      {since && (
        <Text>
          Only the newest {limit} sends are counted, from <Time at={since} /> on.
        </Text>
      )}
    </Stack>
  );
}
