import { Badge, Button, Checkbox, Code, Group, List, Text } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../api/operations.ts';
import { Rows } from '../../parts/rows.tsx';
import { Time } from '../../parts/time.tsx';
import { answerOf } from './words.ts';

type Listed = Answer<'GET /callbacks'>['callbacks'][number];

export interface RowsProps {
  readonly callbacks: readonly Listed[];
  readonly empty: string;
  readonly selected: readonly string[];
  readonly onSelect: ((messageId: string) => void) | undefined;
}

const colors = { waiting: 'yellow', delivered: 'green', failed: 'red', skipped: 'gray' } as const;

export function CallbackRows({ callbacks, empty, selected, onSelect }: RowsProps) {
  const [open, setOpen] = useState<string>();
  const idOf = ({ messageId, state }: Listed) => `${messageId} ${state}`;
  const attempts = (callback: Listed) => {
    const isOpen = idOf(callback) === open;
    const many = callback.attempts.length;
    return (
      <Button
        size="compact-xs"
        variant="default"
        aria-expanded={isOpen}
        aria-label={`${many} attempts of ${callback.state} of ${callback.messageId}`}
        onClick={() => setOpen(isOpen ? undefined : idOf(callback))}
      >
        {many}
        <span aria-hidden>{isOpen ? '\u00a0▴' : '\u00a0▾'}</span>
      </Button>
    );
  };
  return (
    <Rows
      label="Callbacks"
      items={callbacks}
      idOf={idOf}
      empty={empty}
      columns={{
        Message: ({ messageId, msisdn }) => (
          <Group gap="xs" wrap="nowrap" align="start">
            {onSelect && (
              <Checkbox
                aria-label={`Select message ${messageId}`}
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
        Status: ({ status }) => <Badge color={colors[status]}>{status}</Badge>,
        'Last attempt': (callback) => {
          const last = callback.attempts.at(-1);
          return last ? <Attempt of={last} /> : 'none yet';
        },
        Attempts: attempts,
      }}
      detail={(callback) => idOf(callback) === open && <Detail of={callback} />}
    />
  );
}

function Attempt({ of }: { of: Listed['attempts'][number] }) {
  return (
    <>
      <Time at={of.time} />: {answerOf(of)}, {Math.round(of.durationMs)} ms
    </>
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
      {attempts.length === 0 && <Text>There was no attempt yet.</Text>}
      <List type="ordered" size="sm">
        {attempts.map((attempt) => (
          <List.Item key={attempt.time}>
            <Attempt of={attempt} />
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
