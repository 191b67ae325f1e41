import { Alert, Button, Group, TextInput } from '@mantine/core';
import type { Input } from '../../api/operations.ts';
import { useSend } from '../../api/use-api.ts';
import { Failure } from '../../parts/answered.tsx';
import { useFields } from '../../parts/form.tsx';
import { replaySentence } from './words.ts';

type Body = NonNullable<Input<'POST /callbacks/replay'>['body']>;

export function Replay({ selected, onDone }: { selected: readonly string[]; onDone: () => void }) {
  const changes = ['GET /callbacks', 'GET /callbacks/endpoint'] as const;
  const { mutate, data, error, isPending, variables } = useSend('POST /callbacks/replay', changes);
  const replay = (body: Body) => mutate({ body }, { onSuccess: onDone });
  const { fields, input } = useFields({ since: '', until: '' }, error);
  const range = Object.entries(fields).flatMap(([name, at]) =>
    at ? [[name, new Date(at).toISOString()]] : [],
  );
  const within: Body = Object.fromEntries(range);
  const choices: readonly [string, Body][] = [
    ['failed', { status: 'failed', ...within }],
    ['skipped', { status: 'skipped', ...within }],
    [`selected (${selected.length})`, { messageIds: [...selected] }],
  ];
  return (
    <>
      <Group gap="xs" my="sm" align="end">
        <TextInput type="datetime-local" size="xs" label="States since" {...input('since')} />
        <TextInput type="datetime-local" size="xs" label="States before" {...input('until')} />
        {choices.map(([name, body]) => (
          <Button
            key={name}
            size="xs"
            variant="default"
            disabled={isPending || body.messageIds?.length === 0}
            onClick={() => replay(body)}
          >
            Replay {name}
          </Button>
        ))}
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
              onClick={() => variables?.body && replay({ ...variables.body, cursor: data.cursor })}
            >
              Replay the rest
            </Button>
          )}
        </Alert>
      )}
    </>
  );
}
