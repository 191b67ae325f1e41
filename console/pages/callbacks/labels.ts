import type { Input, ResponseTo } from '../../api/operations.ts';
import { count } from '../../parts/figures.tsx';

type Endpoint = ResponseTo<'GET /callbacks/endpoint'>;
type Listing = Pick<Endpoint, 'log' | 'states'> & { status: string; messageId: string };

/** Says why a list is empty. `status` and `messageId` are the filters, `log` and `states` those of the endpoint. */
export function emptyList({ status, messageId, log, states }: Listing): string {
  if (status !== '') return 'No callback matches. Choose another filter.';
  const sentence =
    messageId === ''
      ? 'No callback is listed. Send a message that asks for them'
      : 'No callback of this message is listed. A message must ask for them';
  const atOnce =
    log === 'all'
      ? 'Those that are delivered at once are listed for some days.'
      : 'Those that are delivered at once are not listed.';
  const about = states ? ` The endpoint is told of ${states.join(' and ')} only.` : '';
  return `${sentence} (qos.deliveryStatusNotifications). ${atOnce}${about}`;
}

export function replaySentence({
  replayed,
  more,
  notFound = [],
}: ResponseTo<'POST /callbacks/replay'>): string {
  const others = `Of ${count(notFound.length, 'message')} nothing can be replayed: callbacks that were delivered at once are only listed.`;
  if (replayed === 0) {
    return notFound.length > 0
      ? others
      : 'Nothing was replayed: there is no such callback, or all are being sent already.';
  }
  const many = replayed === 1 ? '1 callback is' : `${count(replayed)} callbacks are`;
  return `${many} sent again.${more ? ' There are more: replay the rest.' : ''}${notFound.length > 0 ? ` ${others}` : ''}`;
}

type ReplayBody = NonNullable<Input<'POST /callbacks/replay'>['body']>;

/** The request that goes on where a replay stopped. */
export function restOf(body: ReplayBody, { cursor, notReplayed }: ResponseTo<'POST /callbacks/replay'>) {
  return notReplayed ? { messageIds: notReplayed } : { ...body, cursor };
}
