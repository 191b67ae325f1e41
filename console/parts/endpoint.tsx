import { Badge } from '@mantine/core';
import type { ResponseTo } from '../api/operations.ts';
import { count, Time } from './figures.tsx';

type Endpoint = ResponseTo<'GET /callbacks/endpoint'>;

type SendingProps = Pick<Endpoint, 'circuit' | 'paceWaitingSince'>;

function Sending({ circuit, paceWaitingSince }: SendingProps) {
  const isOpen = circuit.state === 'OPEN';
  if (circuit.state === 'CLOSED' && paceWaitingSince) return <Badge color="yellow">At your pace</Badge>;
  if (circuit.state === 'CLOSED') return <Badge color="green">Normal</Badge>;
  return (
    <>
      <Badge color={isOpen ? 'red' : 'yellow'}>{isOpen ? 'Paused' : 'One at a time'}</Badge>{' '}
      <Interruption {...circuit} />
    </>
  );
}

/** Why attempts are interrupted, and until when. */
export function Interruption({ state, until, reason }: Endpoint['circuit']) {
  const cause = reason === 'RETRY_AFTER' ? 'your endpoint asked for it (Retry-After)' : 'attempts failed';
  return (
    <>
      {state === 'OPEN' ? `because ${cause}` : 'until one is delivered'}
      {until && ', until '}
      {until && <Time at={until} />}
    </>
  );
}

/** Whether callbacks or alerts are sent. */
export function sendingFacts(of: Pick<Endpoint, 'status' | 'reason'> & SendingProps) {
  return {
    Status: (
      <>
        <Badge color={of.status === 'ENABLED' ? 'green' : 'red'}>{of.status}</Badge> {of.reason}
      </>
    ),
    // Nothing is sent to a disabled endpoint, whatever its circuit is.
    Sending: of.status === 'ENABLED' ? <Sending {...of} /> : undefined,
  };
}

export function endpointFacts(endpoint: Endpoint) {
  const { mode, url, waiting, skipped, countsAreMinimum, paceWaitingSince } = endpoint;
  const atLeast = countsAreMinimum ? 'at least ' : '';
  return {
    Endpoint: mode === 'feed' ? 'your feed, GET /callbacks/feed' : url,
    'Waiting for a retry': `${atLeast}${count(waiting)}`,
    ...(paceWaitingSince !== undefined && {
      'Waiting for the pace': (
        <>
          some, the oldest since <Time at={paceWaitingSince} />
        </>
      ),
    }),
    'Skipped, can be replayed': `${atLeast}${count(skipped)}`,
  };
}
