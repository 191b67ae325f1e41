import { Badge } from '@mantine/core';
import type { ResponseTo } from '../api/operations.ts';
import { Time } from './figures.tsx';

type Listed = ResponseTo<'GET /callbacks'>['callbacks'][number];
type Attempt = Listed['attempts'][number];

const failures: Readonly<Record<NonNullable<Attempt['error']>, string>> = {
  refused: 'address not allowed',
  dns: 'name not found',
  'no-ipv4': 'the name has no IPv4 address',
  connect: 'no connection',
  tls: 'no secure connection',
  timeout: 'no response in time',
  response: 'the response was not HTTP',
  status: 'instead of 2xx',
  local: 'not sent, because this service failed',
};

/** How the endpoint responded: `HTTP 200`, `HTTP 503 instead of 2xx`, `no connection`. */
function responseOf({ httpStatus, error }: Pick<Attempt, 'httpStatus' | 'error'>): string {
  const status = httpStatus === undefined ? [] : [`HTTP ${httpStatus}`];
  return [...status, ...(error ? [failures[error]] : [])].join(' ');
}

const colors = { waiting: 'yellow', delivered: 'green', failed: 'red', skipped: 'gray' } as const;

/** Shows the status of a callback. */
export function CallbackStatus({ status }: { status: keyof typeof colors }) {
  return <Badge color={colors[status]}>{status}</Badge>;
}

export function AttemptLine({ of }: { of: Attempt }) {
  return (
    <span>
      <Time at={of.time} />: {responseOf(of)}
    </span>
  );
}
