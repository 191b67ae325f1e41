import { Alert, Button, Group, List, Loader, Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../api/api-error.ts';

interface Props<Data> {
  readonly query: Pick<UseQueryResult<Data, ApiError>, 'data' | 'error' | 'refetch'>;
  /** What an error of this code means here: that nothing is there yet, say. */
  readonly instead?: Readonly<Record<string, ReactNode>>;
  readonly children: (data: Data) => ReactNode;
}

/** What a query answered: it, or that it is under way, or why it failed. */
export function Answered<Data>({ query: { data, error, refetch }, instead = {}, children }: Props<Data>) {
  if (error && error.code in instead) return instead[error.code];
  return (
    <>
      <Failure error={error} title="This could not be read" retry={refetch} />
      {data !== undefined && children(data)}
      {data === undefined && !error && <Waiting />}
    </>
  );
}

type FailureProps = { error: ApiError | null; title?: string; retry?: () => void };

export function Failure({ error, title = 'The service refused this', retry }: FailureProps) {
  if (!error) return null;
  const { sentences, code, retryAfterSeconds } = error;
  return (
    <Alert color="red" role="alert" title={title}>
      <List size="sm" listStyleType={sentences.length === 1 ? 'none' : 'disc'}>
        {sentences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      <Text size="xs" c="dimmed" mt={4}>
        {code}
        {retryAfterSeconds !== undefined && `, repeat after ${retryAfterSeconds} s`}
      </Text>
      {retry && (
        <Button size="xs" mt="xs" onClick={retry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

/** Answers mostly come before this: a flash of a loader would only disturb. */
const shownAfterMs = 300;

export function Waiting({ what = 'Loading' }: { what?: string }) {
  const [shown, setShown] = useState(false);
  useTimeout(() => setShown(true), shownAfterMs, { autoInvoke: true });
  return (
    <Group role="status" aria-busy mih={36} gap="sm">
      {shown && <Loader size="sm" />}
      {shown && <Text size="md">{what} …</Text>}
    </Group>
  );
}
