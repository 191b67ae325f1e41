import { Alert, Button, Group, List, Loader, Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type ApiError, splitSentence } from '../api/api-error.ts';

type Props<Data> = {
  query: Pick<UseQueryResult<Data, ApiError>, 'data' | 'error' | 'refetch'>;
  /** Replaces the error of a code that is normal here, such as "nothing is set yet". */
  instead?: Readonly<Record<string, ReactNode>>;
  children: (data: Data) => ReactNode;
};

/** Shows the response of a query, a loader until it arrives, or the error. */
export function WithResponse<Data>({ query: { data, error, refetch }, instead = {}, children }: Props<Data>) {
  if (error && error.code in instead) return instead[error.code];
  return (
    <>
      <Failure error={error} title="This could not be loaded" retry={refetch} />
      {data !== undefined && children(data)}
      {data === undefined && !error && <Waiting />}
    </>
  );
}

type FailureProps = {
  error: ApiError | null;
  title: string;
  /** The title if nobody knows whether the request was done. */
  mayBeDone?: string;
  retry?: () => void;
  /** A form shows sentences about these members of the request at its fields instead. */
  isAtField?: (name: string) => boolean;
};

const doneOrNot = 'It may have been done. See whether it was before you try again';

export function Failure({ error, title, mayBeDone = doneOrNot, retry, isAtField }: FailureProps) {
  if (!error) return null;
  const { code, retryAfterSeconds } = error;
  const others = error.sentences.filter((sentence) => {
    const { field } = splitSentence(sentence);
    return field === undefined || !isAtField?.(field);
  });
  const sentences = others.length === 0 ? ['Correct the fields that are marked.'] : others;
  return (
    <Alert color="red" role="alert" title={error.mayBeDone ? mayBeDone : title}>
      <List size="sm" listStyleType={sentences.length === 1 ? 'none' : 'disc'}>
        {sentences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      <Text size="xs" c="dimmed" mt={4}>
        {code}
        {retryAfterSeconds !== undefined && `, try again after ${retryAfterSeconds} s`}
      </Text>
      {retry && (
        <Button size="xs" mt="xs" onClick={retry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

/** Most responses arrive sooner, and a loader that flashes would only disturb. */
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
