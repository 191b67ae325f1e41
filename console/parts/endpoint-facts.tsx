import { Badge } from '@mantine/core';
import type { Answer } from '../api/operations.ts';
import { Time } from './time.tsx';

const circuits = {
  CLOSED: ['green', 'Callbacks flow'],
  HALF_OPEN: ['yellow', 'One at a time'],
  OPEN: ['red', 'Paused after failures'],
} as const;

/** Where callbacks go, and whether they arrive. */
export function endpointFacts(endpoint: Answer<'GET /callbacks/endpoint'>) {
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
