import { Text } from '@mantine/core';
import type { ResponseTo } from '../api/operations.ts';
import { Time } from './figures.tsx';
import { Rows } from './rows.tsx';

type Event = ResponseTo<'GET /events'>['events'][number];

/** All kinds, in the words of a table. The type refuses a list that lacks one. */
export const eventKinds: Readonly<Record<Event['kind'], string>> = {
  'key.created': 'Key created',
  'key.rotated': 'Key rotated',
  'key.retired': 'Older secret of a key retired',
  'key.deleted': 'Key deleted',
  'endpoint.changed': 'Endpoint changed',
  'endpoint.enabled': 'Endpoint enabled',
  'endpoint.disabled': 'Endpoint disabled',
  'endpoint.failing': 'Endpoint is failing',
  'endpoint.recovered': 'Endpoint recovered',
  'endpoint.examined': 'Endpoint examined',
  'callbacks.failed': 'Callbacks failed',
  'list.finished': 'List took effect',
  'list.held': 'Removals of a list held',
  'list.failed': 'List failed',
  'send.scheduled': 'Send planned',
  'send.cancelled': 'Send or message cancelled',
  'promotion.created': 'Promotion created',
  'promotion.updated': 'Promotion updated',
  'alerts.changed': 'Alerts changed',
  'limits.changed': 'Limits changed',
};

/**
 * `{ role: 'cash-desk', login: 'desk-2' }` -> `login desk-2, role cash-desk`; a sentence in `what` says it all. The
 * service gives the members in any order.
 */
function detailsOf({ what, ...data }: Event['data']): string {
  if (what !== undefined) return String(what);
  const textOf = (value: unknown) => {
    if (Array.isArray(value)) return value.join(' and ');
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  const told = Object.entries(data).map(([name, value]) => `${name} ${textOf(value)}`);
  return told.sort().join(', ');
}

export function EventRows({ events, empty }: { events: readonly Event[]; empty: string }) {
  return (
    <Rows
      label="Events"
      items={events}
      idOf={({ eventId }) => eventId}
      empty={empty}
      columns={{
        Time: ({ time }) => <Time at={time} />,
        'What happened': ({ kind }) => eventKinds[kind],
        Details: ({ data }) => detailsOf(data),
        By: ({ by }) => <Text miw="5rem">{by ?? 'the service'}</Text>,
      }}
    />
  );
}
