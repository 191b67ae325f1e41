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

type Filters = { status: string; messageId: string };

/** The address holds the filters, so that a user can send a list to others. */
export function CallbackList({ log, states }: Chosen) {
  const [search, setSearch] = useSearchParams();
  const { status = '', messageId = '' } = Object.fromEntries(search);
  const filter = (changed: object) => setSearch(chosenOf({ status, messageId, ...changed }));
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
          label="Message id"
          initial={messageId}
          button="Filter"
          onSubmit={(typed) => filter({ messageId: typed })}
        />
      </Group>
      {/* What is selected, and what came of a replay, is about these filters. */}
      <Filtered
        key={`${status} ${messageId}`}
        status={status}
        messageId={messageId}
        log={log}
        states={states}
      />
    </Card>
  );
}

function Filtered({ status, messageId, log, states }: Chosen & Filters) {
  const [selected, setSelected] = useState<readonly string[]>([]);
  const mayChange = useSession().may();
  const toggle = (id: string) =>
    setSelected((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  const selectNone = () => setSelected([]);
  return (
    <>
      {mayChange && (
        <Group gap="xs" mb="sm">
          <Replay selected={selected} onDone={selectNone} />
        </Group>
      )}
      <PageByPage
        route="GET /callbacks"
        query={{ limit: rowsShown, ...chosenOf({ status, messageId }) }}
        onTurn={selectNone}
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
    </>
  );
}

function chosenOf(filters: object): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}

/** A page of rows fits three screens of a phone. */
const rowsShown = 10;
