import type { Input, ResponseTo } from '../../api/operations.ts';
import { count } from '../../parts/count.ts';

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
export function responseOf({ httpStatus, error }: Pick<Attempt, 'httpStatus' | 'error'>): string {
  const status = httpStatus === undefined ? [] : [`HTTP ${httpStatus}`];
  return [...status, ...(error ? [failures[error]] : [])].join(' ');
}

type Listing = Pick<ResponseTo<'GET /callbacks/endpoint'>, 'log'> & { status: string; messageId: string };

/** What an empty list says. `status` and `messageId` are the filters, and `log` is that of the endpoint. */
export function emptyList({ status, messageId, log }: Listing): string {
  if (status !== '') return 'No callback matches. Choose another filter.';
  const sentence =
    messageId === ''
      ? 'No callback is listed. Send a message that asks for them'
      : 'No callback of this message is listed. A message must ask for them';
  const atOnce = ' The log of the endpoint does not keep those that are delivered at once.';
  return `${sentence} (qos.deliveryStatusNotifications).${log === 'all' ? '' : atOnce}`;
}

export function replaySentence({ replayed, more }: ResponseTo<'POST /callbacks/replay'>): string {
  if (replayed === 0)
    return 'Nothing was replayed: there is no such callback, or all are being sent already.';
  const many = replayed === 1 ? '1 callback is' : `${count(replayed)} callbacks are`;
  return `${many} sent again.${more ? ' There are more: replay the rest.' : ''}`;
}

type ReplayBody = NonNullable<Input<'POST /callbacks/replay'>['body']>;

/** The request that goes on where a replay stopped. */
export function restOf(body: ReplayBody, { cursor, notReplayed }: ResponseTo<'POST /callbacks/replay'>) {
  return notReplayed ? { messageIds: notReplayed } : { ...body, cursor };
}
