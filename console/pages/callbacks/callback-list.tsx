import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Answer } from '../../api/operations.ts';
import { seldom, useApi } from '../../api/use-api.ts';
import { Answered } from '../../parts/answered.tsx';
import { haveEnded } from '../../parts/callbacks.ts';
import { LineForm } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { useSession } from '../../session/session.tsx';
import { CallbackRows, type RowsProps } from './callback-rows.tsx';
import { Replay } from './replay.tsx';

/** The filters are in the address, so that a list can be sent to others. */
export function CallbackList({ log }: Pick<Answer<'GET /callbacks/endpoint'>, 'log'>) {
  const [search, setSearch] = useSearchParams();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const mayChange = useSession().may();
  const { status = '', messageId = '' } = Object.fromEntries(search);
  const filters = chosenOf({ status, messageId });
  const filter = (changed: object) => setSearch(chosenOf({ status, messageId, ...changed }));

  const toggle = (id: string) =>
    setSelected((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  const atOnce = '; those delivered at once are listed when the log of the endpoint keeps them';
  const empty =
    messageId || status
      ? 'No callback is like this: choose another filter.'
      : `No callback is listed. Send a message that asks for them (qos.deliveryStatusNotifications)${log === 'all' ? '' : atOnce}.`;
  return (
    <Card title="Callbacks">
      <Group align="end" gap="xs">
        <NativeSelect
          label="Status"
          data={[{ value: '', label: 'All' }, 'waiting', 'delivered', 'failed', 'skipped']}
          value={status}
          onChange={(event) => filter({ status: event.currentTarget.value })}
        />
        <LineForm
          key={messageId}
          label="Message id"
          initial={messageId}
          button="Filter"
          onSubmit={(typed) => filter({ messageId: typed })}
        />
      </Group>
      {mayChange && <Replay selected={selected} onDone={() => setSelected([])} />}
      <Pages
        key={`${status} ${messageId}`}
        filters={filters}
        empty={empty}
        selected={selected}
        onSelect={mayChange ? toggle : undefined}
      />
    </Card>
  );
}

function chosenOf(filters: object): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}

type PagesProps = Omit<RowsProps, 'callbacks'> & { filters: Readonly<Record<string, string>> };

function Pages({ filters, ...rows }: PagesProps) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const query = useApi(
    'GET /callbacks',
    { query: { limit: 20, ...filters, ...(cursor ? { cursor } : {}) } },
    {
      ...seldom,
      placeholderData: (before) => before,
      // Older pages do not change, and neither does a message whose callbacks have all ended.
      refetchInterval: (query) =>
        !cursor && !(filters['messageId'] && haveEnded(query.state.data)) && seldom.refetchInterval(query),
    },
  );
  const button = { size: 'xs', variant: 'default' } as const;
  return (
    <Answered query={query}>
      {({ callbacks, cursor: next, incomplete }) => (
        <>
          <CallbackRows callbacks={callbacks} {...rows} />
          {incomplete && <Text>A callback of this message may be logged beyond what was searched.</Text>}
          {(cursor || next) && (
            <Group mt="sm" gap="xs">
              <Button {...button} disabled={!cursor} onClick={() => setCursors(cursors.slice(0, -1))}>
                Newer
              </Button>
              <Button
                {...button}
                disabled={!next}
                loading={query.isPlaceholderData}
                onClick={() => next && setCursors([...cursors, next])}
              >
                Older
              </Button>
            </Group>
          )}
        </>
      )}
    </Answered>
  );
}
