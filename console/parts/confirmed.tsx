import { Button, Modal, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { Input, ReadRoute, ResponseTo, Route } from '../api/operations.ts';
import { useSend } from '../api/use-api.ts';
import { Form } from './form.tsx';
import { locked } from './secret.tsx';

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

/** A button that asks the user to confirm before it sends a request. The dialog stays until the outcome can be shown. */
export function Confirmed<R extends Route>({ name, on, title, color, children, ...request }: Props<R>) {
  const sending = useSend(request.route, request.changes);
  const form = useForm();
  const [opened, { open, close }] = useDisclosure(false, { onOpen: sending.reset });

  async function confirm() {
    // The dialog fades out, and a second click in that time must do nothing.
    if (!opened) return;
    // We await the response: the callbacks of `mutate` are not called if reading again removes this button.
    const response = await sending.mutateAsync(request.input).catch(() => undefined);
    if (response === undefined) return;
    close();
    request.onDone?.(response);
  }

  const label = on === undefined ? undefined : `${name} ${on}`;
  return (
    <>
      <Button size="xs" variant="default" aria-label={label} onClick={open}>
        {name}
      </Button>
      <Modal opened={opened} onClose={close} title={title} centered {...(sending.isPending && locked)}>
        <Form
          form={form}
          sending={sending}
          failed="Nothing was changed"
          button={name}
          color={color}
          onSubmit={confirm}
          onCancel={close}
        >
          <Text component="div">{children}</Text>
        </Form>
      </Modal>
    </>
  );
}
