import { Badge } from '@mantine/core';
import type { Answer } from '../api/operations.ts';
import { Card } from './page.tsx';
import { Rows } from './rows.tsx';
import { Time } from './time.tsx';

export function Notices({ notices }: Pick<Answer<'GET /callbacks/endpoint'>, 'notices'>) {
  return (
    <Card title="Notices">
      <Rows
        label="Notices"
        items={notices}
        idOf={({ time, what }) => `${time} ${what}`}
        columns={{
          Time: ({ time }) => <Time at={time} />,
          'What happened': ({ what }) => what,
          Key: ({ by }) => by ?? 'the service',
        }}
        empty="Nothing happened to the endpoint: changes and interruptions are listed here."
      />
    </Card>
  );
}

const circuits = {
  CLOSED: ['green', 'Callbacks flow'],
  HALF_OPEN: ['yellow', 'One at a time'],
  OPEN: ['red', 'Paused after failures'],
} as const;

export function endpointFacts(endpoint: Answer<'GET /callbacks/endpoint'>) {
  const { status, reason, circuit, url, waiting, skipped, countsAreMinimum } = endpoint;
  const [color, meaning] = circuits[circuit.state];
  const atLeast = countsAreMinimum ? 'at least ' : '';
  return {
    Endpoint: url,
    Status: (
      <>
        <Badge color={status === 'ENABLED' ? 'green' : 'red'}>{status}</Badge> {reason}
      </>
    ),
    Circuit: (
      <>
        <Badge color={color}>{circuit.state}</Badge> {meaning}
        {circuit.until && ' until '}
        {circuit.until && <Time at={circuit.until} />}
      </>
    ),
    'Waiting for a retry': `${atLeast}${waiting}`,
    'Skipped, can be replayed': `${atLeast}${skipped}`,
  };
}
