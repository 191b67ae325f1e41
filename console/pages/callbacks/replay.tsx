import { Alert, Button, Group } from '@mantine/core';
import type { Input } from '../../api/operations.ts';
import { useSend } from '../../api/use-api.ts';
import { Failure } from '../../parts/failure.tsx';
import { replaySentence } from './words.ts';

type Body = NonNullable<Input<'POST /callbacks/replay'>['body']>;

interface Props {
  readonly selected: readonly string[];
  readonly onDone: () => void;
}

/** Sends again what failed, what was skipped, or the selected messages. */
export function Replay({ selected, onDone }: Props) {
  const changes = ['GET /callbacks', 'GET /callbacks/endpoint'] as const;
  const { mutate, data, error, isPending, variables } = useSend('POST /callbacks/replay', changes);
  const again = variables?.body;
  const replay = (body: Body) => mutate({ body }, { onSuccess: onDone });
  const button = { size: 'xs', variant: 'default', disabled: isPending } as const;
  return (
    <>
      <Group gap="xs" my="sm">
        <Button {...button} onClick={() => replay({ status: 'failed' })}>
          Replay failed
        </Button>
        <Button {...button} onClick={() => replay({ status: 'skipped' })}>
          Replay skipped
        </Button>
        <Button
          {...button}
          disabled={isPending || selected.length === 0}
          onClick={() => replay({ messageIds: [...selected] })}
        >
          Replay selected ({selected.length})
        </Button>
      </Group>
      <Failure error={error} title="Nothing was replayed" />
      {data && (
        <Alert role="status" color={data.replayed === 0 ? 'yellow' : 'green'}>
          {replaySentence(data)}
          {data.more && (
            <Button
              size="xs"
              mt="xs"
              display="block"
              loading={isPending}
              onClick={() => again && replay(again)}
            >
              Replay the rest
            </Button>
          )}
        </Alert>
      )}
    </>
  );
}
