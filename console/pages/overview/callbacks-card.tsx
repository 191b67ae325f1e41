import { Badge, Text } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { Answered } from '../../parts/answered.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/time.tsx';
import type { EndpointQuery } from './queries.ts';

export function CallbacksCard({ endpoint }: { readonly endpoint: EndpointQuery }) {
  const notSet = <Text size="sm">No endpoint is set, so states of messages are not called back.</Text>;
  return (
    <Card title="Callbacks" more={{ name: 'Callbacks', path: '/callbacks' }}>
      <Answered query={endpoint} instead={{ ENDPOINT_NOT_SET: notSet }}>
        {(data) => <Facts facts={factsOf(data)} />}
      </Answered>
    </Card>
  );
}

const circuits = {
  CLOSED: ['green', 'Callbacks flow'],
  HALF_OPEN: ['yellow', 'One at a time'],
  OPEN: ['red', 'Paused after failures'],
} as const;

function factsOf(endpoint: Answer<'GET /callbacks/endpoint'>) {
  const { status, reason, circuit, url, waiting, skipped, countsAreMinimum } = endpoint;
  const [color, meaning] = circuits[circuit.state];
  const atLeast = countsAreMinimum ? 'at least ' : '';
  return [
    ['Endpoint', url],
    [
      'Status',
      <>
        <Badge key="status" color={status === 'ENABLED' ? 'green' : 'red'}>
          {status}
        </Badge>{' '}
        {reason}
      </>,
    ],
    [
      'Circuit',
      <>
        <Badge key="circuit" color={color}>
          {circuit.state}
        </Badge>{' '}
        {meaning}
        {circuit.until && (
          <>
            {' until '}
            <Time at={circuit.until} />
          </>
        )}
      </>,
    ],
    ['Waiting for a retry', `${atLeast}${waiting}`],
    ['Skipped, can be replayed', `${atLeast}${skipped}`],
  ] as const;
}
