import { Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { ResponseTo } from '../../api/operations.ts';
import { LineForm } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { PageByPage } from '../../parts/page-by-page.tsx';
import { useSession } from '../../session/session.tsx';
import { CallbackRows } from './callback-rows.tsx';
import { emptyList } from './labels.ts';
import { Replay } from './replay.tsx';
import { haveEnded } from './states.ts';

type Chosen = Pick<ResponseTo<'GET /callbacks/endpoint'>, 'log' | 'states'>;

/** The address holds the filters, so that a user can send a list to others. */
export function CallbackList({ log, states }: Chosen) {
  const [search, setSearch] = useSearchParams();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const mayChange = useSession().may();
  const { status = '', messageId = '' } = Object.fromEntries(search);
  const filters = chosenOf({ status, messageId });
  const filter = (changed: object) => setSearch(chosenOf({ status, messageId, ...changed }));

  const toggle = (id: string) =>
    setSelected((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  return (
    <Card title="Callbacks">
      <Group align="end" gap="xs" mb="sm">
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
        {mayChange && <Replay selected={selected} onDone={() => setSelected([])} />}
      </Group>
      <PageByPage
        key={`${status} ${messageId}`}
        route="GET /callbacks"
        query={{ limit: rowsShown, ...filters }}
        // The callbacks of a message do not change once all of them have ended.
        isFinal={(page) => messageId !== '' && haveEnded(page, states)}
      >
        {({ callbacks, incomplete }) => (
          <>
            <CallbackRows
              callbacks={callbacks}
              empty={emptyList({ status, messageId, log, states })}
              selected={selected}
              onSelect={mayChange ? toggle : undefined}
            />
            {incomplete && (
              <Text>
                The log is too long to be searched in full, so a callback of this message may be missing.
              </Text>
            )}
          </>
        )}
      </PageByPage>
    </Card>
  );
}

function chosenOf(filters: object): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}

/** A page of rows fits three screens of a phone. */
const rowsShown = 10;
