import { Checkbox, Code, Group, List, NativeSelect, Text } from '@mantine/core';
import { useSelection } from '@mantine/hooks';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { ResponseTo } from '../../api/operations.ts';
import { Disclosure } from '../../parts/buttons.tsx';
import { AttemptLine, CallbackStatus } from '../../parts/callbacks.tsx';
import { Time } from '../../parts/figures.tsx';
import { LineForm } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { PageByPage } from '../../parts/paged.tsx';
import { Rows } from '../../parts/rows.tsx';
import { useSession } from '../../session/session.tsx';
import { emptyList } from './labels.ts';
import { Replay } from './replay.tsx';
import { haveEnded } from './states.ts';

type Chosen = Pick<ResponseTo<'GET /callbacks/endpoint'>, 'log' | 'states'>;

type Filters = { status: string; messageId: string };

/** The address holds the filters, so that a user can send a list to others. */
export function CallbackList(chosen: Chosen) {
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
      <Filtered key={`${status} ${messageId}`} {...chosen} status={status} messageId={messageId} />
    </Card>
  );
}

function Filtered({ status, messageId, log, states }: Chosen & Filters) {
  const mayChange = useSession().may();
  const [selected, { toggle, resetSelection: selectNone }] = useSelection<string>({ data: [] });
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

type Listed = ResponseTo<'GET /callbacks'>['callbacks'][number];

type RowsProps = {
  callbacks: readonly Listed[];
  empty: string;
  selected: readonly string[];
  onSelect: ((messageId: string) => void) | undefined;
};

function CallbackRows({ callbacks, empty, selected, onSelect }: RowsProps) {
  const [open, setOpen] = useState<string>();
  const idOf = ({ messageId, state }: Listed) => `${messageId} ${state}`;
  return (
    <Rows
      label="Callbacks"
      items={callbacks}
      idOf={idOf}
      empty={empty}
      columns={{
        Message: ({ messageId, msisdn, state }) => (
          <Group gap="xs" wrap="nowrap" align="start">
            {onSelect && (
              <Checkbox
                aria-label={`Select message ${messageId}, ${state}`}
                checked={selected.includes(messageId)}
                onChange={() => onSelect(messageId)}
              />
            )}
            <div>
              <Text size="xs" ff="monospace">
                {messageId}
              </Text>
              <Text>{msisdn}</Text>
            </div>
          </Group>
        ),
        State: ({ state }) => state,
        Callback: (callback) => {
          const { attempts, state, messageId, status, reason, nextAttemptAt } = callback;
          return (
            <Group gap="xs">
              <CallbackStatus status={status} />
              {(attempts.length > 0 || reason || nextAttemptAt) && (
                <Disclosure
                  name={attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}
                  on={`of ${state} of ${messageId}`}
                  isOpen={idOf(callback) === open}
                  onToggle={(isOpen) => setOpen(isOpen ? idOf(callback) : undefined)}
                />
              )}
            </Group>
          );
        },
        'Last attempt': ({ attempts, status }) => {
          const last = attempts.at(-1);
          if (last) return <AttemptLine of={last} />;
          return status === 'delivered' ? 'It is in the feed.' : 'There was no attempt yet.';
        },
      }}
      detail={(callback) => idOf(callback) === open && <Detail of={callback} />}
    />
  );
}

function Detail({ of: { attempts, reason, nextAttemptAt } }: { of: Listed }) {
  return (
    <div role="status">
      {reason && <Text>Why: {reason}</Text>}
      {nextAttemptAt && (
        <Text>
          Next attempt: <Time at={nextAttemptAt} />
        </Text>
      )}
      <List type="ordered" size="sm">
        {attempts.map((attempt) => (
          <List.Item key={attempt.time}>
            <AttemptLine of={attempt} />, {Math.round(attempt.durationMs)} ms
            {attempt.response && <Code block>{attempt.response}</Code>}
          </List.Item>
        ))}
      </List>
    </div>
  );
}
