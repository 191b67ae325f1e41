import { Button, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { Input, ReadRoute, ResponseTo, Route } from '../api/operations.ts';
import { useSend } from '../api/use-api.ts';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

type Props<R extends Route> = {
  /** The label of the button that opens the dialog, and of the button that confirms. */
  name: string;
  /** The object of the button, for screen readers: it tells buttons of the same name apart. */
  on?: string;
  title: string;
  color?: 'red';
  route: R;
  input: Input<R>;
  changes: readonly ReadRoute[];
  onDone?: (response: ResponseTo<R>) => void;
  children: ReactNode;
};

/**
 * A button that asks the user to confirm before it sends a request. The dialog stays until the outcome can be shown, and
 * asks for what it asked for when it was opened, whatever others change meanwhile. Once the response
 * to its request is lost it asks for what fits then: nobody has seen the secret that was made. After a refusal it stays as it
 * is, because Enter would do what nobody asked for, such as to replace a secret that a colleague has stored.
 */
export function Confirmed<R extends Route>({ on, changes, ...current }: Props<R>) {
  const form = useForm();
  const [frozen, freeze] = useState<typeof current>();
  const sending = useSend((frozen ?? current).route, changes, {
    onDone: (response) => {
      close();
      current.onDone?.(response);
    },
  });
  const [opened, { open, close }] = useDisclosure(false, {
    onOpen: () => {
      sending.reset();
      freeze(current);
    },
  });
  const isFreed = sending.error?.mayBeDone && frozen?.route === current.route;
  const { name, title, color, children, input } = (!isFreed && frozen) || current;

  const label = on === undefined ? undefined : `${current.name} ${on}`;
  return (
    <>
      <Button size="xs" variant="default" aria-label={label} onClick={open}>
        {current.name}
      </Button>
      <Dialog opened={opened} onClose={close} title={title} centered isLocked={sending.isPending}>
        <Form
          form={form}
          sending={sending}
          failed="Nothing was changed"
          button={name}
          color={color}
          // The dialog fades out, and a second click in that time must do nothing.
          onSubmit={() => opened && sending.mutate(input)}
          onCancel={close}
        >
          <Text component="div">{children}</Text>
        </Form>
      </Dialog>
    </>
  );
}
