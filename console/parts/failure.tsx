import { Alert, Button, List, Text } from '@mantine/core';
import type { ApiError } from '../api/api-error.ts';

interface Props {
  readonly error: ApiError | null;
  /** What failed: `The key was not made`. */
  readonly title?: string;
  readonly retry?: () => void;
}

/** An error as the API words it, or nothing. */
export function Failure({ error, title = 'The service refused this', retry }: Props) {
  if (!error) return null;
  const { sentences, code, retryAfterSeconds } = error;
  return (
    <Alert color="red" role="alert" title={title}>
      {sentences.length === 1 ? (
        <Text size="sm">{sentences[0]}</Text>
      ) : (
        <List size="sm">
          {sentences.map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      )}
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
