import { Button, Group, Stack, TextInput, type TextInputProps } from '@mantine/core';
import type { useForm } from '@mantine/form';
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { type ApiError, fieldErrors } from '../api/api-error.ts';
import { BusyButton } from './buttons.tsx';
import { Failure } from './response.tsx';

type FormProps<Values extends Record<string, unknown>> = {
  form: Pick<ReturnType<typeof useForm<Values>>, 'onSubmit' | 'setErrors' | 'getInputNode'>;
  sending: { error: ApiError | null; isPending: boolean };
  failed: string;
  button: string;
  color?: 'red' | undefined;
  onSubmit: (values: Values) => void;
  onCancel?: () => void;
  children: ReactNode;
};

/**
 * Shows a form of Mantine's, whose fields have the names of the request's members: what the API says of one then stands
 * at its field. All else that it says stands above the fields and is scrolled to: below them a dialog would hide it.
 */
export function Form<Values extends Record<string, unknown>>(props: FormProps<Values>) {
  const { form, failed, button, color, onSubmit, onCancel, children } = props;
  const { error, isPending } = props.sending;
  const element = useRef<HTMLFormElement>(null);

  function focusFirst(errors: object) {
    const inputs = Object.keys(errors).flatMap((name) => form.getInputNode(name) ?? []);
    inputs[0]?.focus();
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each response
  useEffect(() => {
    const errors = fieldErrors(error);
    form.setErrors(errors);
    focusFirst(errors);
    element.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' });
  }, [error]);
  const submitValid = form.onSubmit(onSubmit, focusFirst);
  function submit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!isPending) submitValid(event);
  }
  return (
    <form ref={element} noValidate onSubmit={submit}>
      <Stack>
        <Failure error={error} title={failed} isAtField={(name) => form.getInputNode(name) !== null} />
        {children}
        <Group justify="flex-end">
          {onCancel && !isPending && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <BusyButton type="submit" busy={isPending} {...(color && { color })}>
            {button}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}

type LineProps = Omit<TextInputProps, 'onSubmit'> & {
  button: string;
  initial: string;
  busy?: boolean;
  onSubmit: (typed: string) => void;
};

/** A form of one field. */
export function LineForm({ button, initial, busy = false, onSubmit, ...props }: LineProps) {
  const [typed, setTyped] = useState(initial);
  const [given, setGiven] = useState(initial);
  // What is typed gives way only to another text that the page gives.
  if (given !== initial) {
    setGiven(initial);
    setTyped(initial);
  }
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (!busy) onSubmit(typed.trim());
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          withAsterisk={false}
          autoComplete="off"
          // Blanks alone are nothing.
          pattern={props.required ? '.*\\S.*' : undefined}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          {...props}
        />
        <BusyButton type="submit" variant="default" busy={busy}>
          {button}
        </BusyButton>
      </Group>
    </form>
  );
}
