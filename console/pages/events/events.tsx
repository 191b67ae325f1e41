import { NativeSelect } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { EventRows, eventKinds } from '../../parts/events.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { PageByPage } from '../../parts/paged.tsx';

const kinds = Object.entries(eventKinds).map(([value, label]) => ({ value, label }));

/** The events of the account. The address holds the filter, so that a user can send a list to others. */
export default function Events() {
  const [search, setSearch] = useSearchParams();
  const kind = search.get('kind') ?? undefined;
  return (
    <Page title="Events">
      <Card title="Events of the last 400 days">
        <NativeSelect
          label="Kind"
          maw={320}
          mb="sm"
          data={[{ value: '', label: 'All' }, ...kinds]}
          value={kind ?? ''}
          onChange={({ currentTarget: { value } }) => setSearch(value === '' ? {} : { kind: value })}
        />
        <PageByPage key={kind} route="GET /events" query={{ limit: 20, kind }}>
          {({ events, cursor }) => (
            <EventRows
              events={events}
              empty={
                cursor ? 'None among the newer events: look at the older ones.' : 'There is no such event.'
              }
            />
          )}
        </PageByPage>
      </Card>
    </Page>
  );
}
