import { Button, Group, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type ApiError, fieldErrors } from '../api/api-error.ts';
import { Failure } from './answered.tsx';

/** The values of a form; `input` is what a field is given, with what the API says of it. */
export function useFields<Fields extends object>(initial: Fields, error: ApiError | null) {
  const [fields, setFields] = useState(initial);
  const wrong = fieldErrors(error);
  const input = <Name extends keyof Fields & string>(name: Name, nameInApi: string = name) => ({
    value: fields[name],
    error: wrong[nameInApi],
    onChange: (given: unknown) => {
      // Read at once: an event has its field only while it is handled.
      const value = valueIn(given);
      setFields((before) => ({ ...before, [name]: value }));
    },
  });
  return { fields, input };
}

/** Mantine's fields give an event or the value itself. */
export function valueIn(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('currentTarget' in given)) return given;
  const { type, checked, value } = given.currentTarget as HTMLInputElement;
  return type === 'checkbox' ? checked : value;
}

interface FormProps {
  readonly sending: { readonly error: ApiError | null; readonly isPending: boolean };
  readonly failed: string;
  readonly button: string;
  readonly onSubmit: () => void;
  readonly onCancel?: () => void;
  readonly children: ReactNode;
}

export function Form({ sending, failed, button, onSubmit, onCancel, children }: FormProps) {
  return (
    <Stack component="form" onSubmit={prevented(onSubmit)}>
      {children}
      <Failure error={sending.error} title={failed} />
      <Group justify="flex-end">
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" loading={sending.isPending}>
          {button}
        </Button>
      </Group>
    </Stack>
  );
}

interface LineProps extends Omit<TextInputProps, 'onSubmit'> {
  readonly button: string;
  readonly initial: string;
  readonly busy?: boolean;
  readonly onSubmit: (typed: string) => void;
}

export function LineForm({ button, initial, busy = false, onSubmit, ...props }: LineProps) {
  const [typed, setTyped] = useState(initial);
  return (
    <form onSubmit={prevented(() => onSubmit(typed.trim()))}>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          withAsterisk={false}
          autoComplete="off"
          {...props}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={busy}>
          {button}
        </Button>
      </Group>
    </form>
  );
}

/** Stays on the page: the browser would load the address of the form. */
export function prevented(submit: () => void) {
  return (event: { preventDefault(): void }) => {
    event.preventDefault();
    submit();
  };
}
