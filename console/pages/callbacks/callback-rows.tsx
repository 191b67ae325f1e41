import { Badge, Checkbox, Code, Group, List, Text } from '@mantine/core';
import { useState } from 'react';
import type { ResponseTo } from '../../api/operations.ts';
import { Disclosure } from '../../parts/disclosure.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Time } from '../../parts/time.tsx';
import { responseOf } from './labels.ts';

type Listed = ResponseTo<'GET /callbacks'>['callbacks'][number];

export type RowsProps = {
  callbacks: readonly Listed[];
  empty: string;
  selected: readonly string[];
  onSelect: ((messageId: string) => void) | undefined;
};

const colors = { waiting: 'yellow', delivered: 'green', failed: 'red', skipped: 'gray' } as const;

export function CallbackRows({ callbacks, empty, selected, onSelect }: RowsProps) {
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
              <Badge color={colors[status]} tt="none">
                {status}
              </Badge>
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
          if (last) return <Attempt of={last} />;
          return status === 'delivered' ? 'It is in the feed.' : 'There was no attempt yet.';
        },
      }}
      detail={(callback) => idOf(callback) === open && <Detail of={callback} />}
    />
  );
}

function Attempt({ of }: { of: Listed['attempts'][number] }) {
  return (
    <span>
      <Time at={of.time} />: {responseOf(of)}
    </span>
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
            <Attempt of={attempt} />, {Math.round(attempt.durationMs)} ms
            {attempt.response && (
              <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {attempt.response}
              </Code>
            )}
          </List.Item>
        ))}
      </List>
    </div>
  );
}
