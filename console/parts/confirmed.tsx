import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { Answer, Input, ReadRoute, Route } from '../api/operations.ts';
import { useSend } from '../api/use-api.ts';
import { Failure } from './answered.tsx';

interface Props<R extends Route> {
  /** Of the button that asks, and of the one that does it. */
  readonly name: string;
  /** Tells buttons of the same name apart: what is acted on. */
  readonly on?: string;
  readonly title: string;
  readonly color?: 'red';
  readonly route: R;
  readonly input: Input<R>;
  readonly changes: readonly ReadRoute[];
  readonly onDone?: (answer: Answer<R>) => void;
  readonly children: ReactNode;
}

export function Confirmed<R extends Route>({ name, on, title, color, children, ...request }: Props<R>) {
  const { mutateAsync, error, isPending, reset } = useSend(request.route, request.changes);
  const [opened, { open, close }] = useDisclosure(false, { onOpen: reset });
  // Of a route that is not known yet, TypeScript cannot tell that the input is enough.
  const send = mutateAsync as (given: Input<R>) => Promise<Answer<R>>;

  async function confirm() {
    // A promise, since what is read again may take this button away.
    const answer = await send(request.input).catch(() => undefined);
    if (answer === undefined) return;
    close();
    request.onDone?.(answer);
  }

  const label = on === undefined ? undefined : `${name} ${on}`;
  return (
    <>
      <Button size="xs" variant="default" aria-label={label} onClick={open}>
        {name}
      </Button>
      <Modal opened={opened} onClose={close} title={title} centered>
        <Stack>
          <Text component="div">{children}</Text>
          <Failure error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button {...(color ? { color } : {})} loading={isPending} onClick={confirm}>
              {name}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
