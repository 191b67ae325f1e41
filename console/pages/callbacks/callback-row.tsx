import { Badge, Button, Checkbox, Group, List, Text } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import type { Row } from '../../parts/rows.tsx';
import { Time } from '../../parts/time.tsx';
import { answerOf } from './words.ts';

type Listed = Answer<'GET /callbacks'>['callbacks'][number];

interface Choices {
  readonly open: string | undefined;
  readonly setOpen: (key: string | undefined) => void;
  readonly selected: readonly string[];
  readonly onSelect: ((messageId: string) => void) | undefined;
}

const colors = { waiting: 'yellow', delivered: 'green', failed: 'red', skipped: 'gray' } as const;

/** A callback, with its attempts when it is the open one. */
export function rowOf(callback: Listed, { open, setOpen, selected, onSelect }: Choices): Row {
  const { messageId, msisdn, state, status, attempts } = callback;
  const key = `${messageId} ${state}`;
  const isOpen = key === open;
  const last = attempts.at(-1);
  return {
    key,
    cells: [
      <Group key="message" gap="xs" wrap="nowrap" align="start">
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
          <Text size="sm">{msisdn}</Text>
        </div>
      </Group>,
      state,
      <Badge key="status" color={colors[status]}>
        {status}
      </Badge>,
      last ? <Attempt key="last" of={last} /> : 'none yet',
      <Button
        key="attempts"
        size="compact-xs"
        variant="default"
        aria-expanded={isOpen}
        aria-label={`${attempts.length} attempts of ${state} of ${messageId}`}
        onClick={() => setOpen(isOpen ? undefined : key)}
      >
        {attempts.length}
        <span aria-hidden>{isOpen ? '\u00a0▴' : '\u00a0▾'}</span>
      </Button>,
    ],
    ...(isOpen ? { detail: <Detail of={callback} /> } : {}),
  };
}

function Attempt({ of }: { readonly of: Listed['attempts'][number] }) {
  return (
    <>
      <Time at={of.time} />: {answerOf(of)}, {Math.round(of.durationMs)} ms
    </>
  );
}

function Detail({ of: { attempts, reason, nextAttemptAt } }: { readonly of: Listed }) {
  return (
    <div role="status">
      {reason && <Text size="sm">Why: {reason}</Text>}
      {nextAttemptAt && (
        <Text size="sm">
          Next attempt: <Time at={nextAttemptAt} />
        </Text>
      )}
      {attempts.length === 0 && <Text size="sm">There was no attempt yet.</Text>}
      <List type="ordered" size="sm">
        {attempts.map((attempt) => (
          <List.Item key={attempt.time}>
            <Attempt of={attempt} />
          </List.Item>
        ))}
      </List>
    </div>
  );
}
