import { Button, Group, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type ApiError, fieldErrors } from '../api/api-error.ts';
import { Failure } from './response.tsx';

type Sending = { error: ApiError | null; isPending: boolean };
type Problems = Readonly<Record<string, string | undefined>>;

/**
 * The values of a form. `input` gives a field its value and what is wrong with it: what `check` finds when the form is
 * submitted, or else what the API said. `form` is for `<Form>`.
 */
export function useFields<Fields extends object>(
  initial: Fields,
  { error, isPending }: Sending,
  check: (fields: Fields) => Problems = () => ({}),
) {
  const [fields, setFields] = useState(initial);
  const [tries, setTries] = useState(0);
  const problems = check(fields);
  const fromApi = fieldErrors(error);
  const namesInApi = new Set<string>();
  const input = <Name extends keyof Fields & string>(name: Name, nameInApi: string = name) => {
    namesInApi.add(nameInApi);
    return {
      value: fields[name],
      error: (tries > 0 && problems[name]) || fromApi[nameInApi],
      onChange: (given: unknown) => {
        // Read now, because an event knows its field only while it is handled.
        const value = valueIn(given);
        setFields((before) => ({ ...before, [name]: value }));
      },
    };
  };
  const submit = (send: () => void) => {
    setTries(tries + 1);
    if (Object.keys(problems).length === 0) send();
  };
  return { fields, input, form: { error, isPending, tries, submit, namesInApi } };
}

/** Mantine's fields pass either an event or the value itself. */
export function valueIn(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('currentTarget' in given)) return given;
  const { type, checked, value } = given.currentTarget as HTMLInputElement;
  return type === 'checkbox' ? checked : value;
}

type FormProps = {
  form: ReturnType<typeof useFields>['form'];
  failed: string;
  button: string;
  color?: 'red' | undefined;
  onSubmit: () => void;
  onCancel?: () => void;
  children: ReactNode;
};

/**
 * Submits only when every field is valid, and moves the focus to the first field that is not. What the API said stands
 * above the fields and is scrolled to: below them a dialog would hide it.
 */
export function Form({ form, failed, button, color, onSubmit, onCancel, children }: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each try, and for each response to one
  useEffect(() => {
    if (form.tries === 0) return;
    element.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' });
    element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [form.tries, form.error]);
  return (
    <form ref={element} noValidate onSubmit={prevented(() => form.submit(onSubmit))}>
      <Stack>
        <Failure error={form.error} title={failed} atFields={form.namesInApi} />
        {children}
        <Group justify="flex-end">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={form.isPending} {...(color && { color })}>
            {button}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type OnTyped = { onSubmit: (typed: string) => void };
type LineProps = Omit<TextInputProps, 'onSubmit'> &
  OnTyped & { button: string; initial: string; busy?: boolean };

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

/** Keeps the browser from loading the address of the form. */
export function prevented(submit: () => void) {
  return (event: { preventDefault(): void }) => {
    event.preventDefault();
    submit();
  };
}
