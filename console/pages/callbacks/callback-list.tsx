import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Answer } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { Answered } from '../../parts/answered.tsx';
import { Card } from '../../parts/card.tsx';
import { Rows } from '../../parts/rows.tsx';
import { rowOf } from './callback-row.tsx';
import { Replay } from './replay.tsx';

interface Props {
  readonly mayChange: boolean;
  readonly log: Answer<'GET /callbacks/endpoint'>['log'];
}

/** The filters are in the address, so that a list can be sent to others. */
export function CallbackList({ mayChange, log }: Props) {
  const [search, setSearch] = useSearchParams();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const status = search.get('status') ?? '';
  const messageId = search.get('messageId') ?? '';

  function submit(event: FormEvent) {
    event.preventDefault();
    const wanted = Object.entries({
      status,
      messageId,
      ...Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement)),
    });
    setSearch(wanted.flatMap(([name, value]) => (value === '' ? [] : [[name, String(value).trim()]])));
  }

  const toggle = (id: string) =>
    setSelected((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  return (
    <Card title="Callbacks">
      <Group component="form" align="end" gap="xs" onSubmit={submit} key={`form ${status} ${messageId}`}>
        <NativeSelect
          label="Status"
          name="status"
          data={[{ value: '', label: 'All' }, 'waiting', 'delivered', 'failed', 'skipped']}
          defaultValue={status}
          onChange={(event) => event.currentTarget.form?.requestSubmit()}
        />
        <TextInput
          label="Message id"
          name="messageId"
          defaultValue={messageId}
          flex={1}
          miw={200}
          maw={360}
        />
        <Button type="submit" variant="default">
          Filter
        </Button>
      </Group>
      {mayChange && <Replay selected={selected} onDone={() => setSelected([])} />}
      <Pages
        key={`${status} ${messageId}`}
        filters={{ ...(status ? { status } : {}), ...(messageId ? { messageId } : {}) }}
        empty={
          status || messageId
            ? 'No callback is like this: choose another filter.'
            : `No callback is listed. Send a message that asks for them (qos.deliveryStatusNotifications)${
                log === 'all'
                  ? ''
                  : '; those delivered at once are listed when the log of the endpoint keeps them'
              }.`
        }
        selected={selected}
        {...(mayChange ? { onSelect: toggle } : {})}
      />
    </Card>
  );
}

interface PagesProps {
  readonly filters: Readonly<Record<string, string>>;
  readonly empty: string;
  readonly selected: readonly string[];
  readonly onSelect?: (messageId: string) => void;
}

function Pages({ filters, empty, selected, onSelect }: PagesProps) {
  /** Of the pages before and this one; the first has none. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [open, setOpen] = useState<string>();
  const cursor = cursors.at(-1);
  const query = useApi(
    'GET /callbacks',
    { query: { limit: 20, ...filters, ...(cursor ? { cursor } : {}) } },
    { placeholderData: (before) => before, ...(cursor ? {} : { refetchInterval: 5_000 }) },
  );
  return (
    <Answered query={query}>
      {({ callbacks, cursor: next, incomplete }) => (
        <>
          {callbacks.length === 0 ? (
            <Text size="sm">{empty}</Text>
          ) : (
            <Rows
              label="Callbacks"
              columns={['Message', 'State', 'Status', 'Last attempt', 'Attempts']}
              rows={callbacks.map((callback) => rowOf(callback, { open, setOpen, selected, onSelect }))}
            />
          )}
          {incomplete && (
            <Text size="sm">More callbacks are kept than were looked at: filter by message id.</Text>
          )}
          {(cursor || next) && (
            <Group mt="sm" gap="xs">
              <Button
                size="xs"
                variant="default"
                disabled={!cursor}
                onClick={() => setCursors(cursors.slice(0, -1))}
              >
                Newer
              </Button>
              <Button
                size="xs"
                variant="default"
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
