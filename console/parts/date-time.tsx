import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

/** The value of a field whose date or time is typed in part. The browser itself would call the field empty. */
const partial = 'partial';

/** Says of each of these fields that is typed in part that it is. */
export function dateProblems(fields: Readonly<Record<string, string>>): Record<string, string> {
  const typedInPart = Object.entries(fields).filter(([, value]) => value === partial);
  return Object.fromEntries(
    typedInPart.map(([name]) => [name, 'Write the whole date and time, or clear both']),
  );
}

type Props = Omit<TextInputProps, 'onChange'> & { onChange: (value: string) => void };

/** A date and a time without a zone: `2026-11-24T10:45`. Not controlled, because a partial one has no value to show. */
export function DateTimeInput({ value, onChange, ...props }: Props) {
  // React would write a later `defaultValue` into the field, which empties one that is typed in part.
  const [defaultValue] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  // The field loses a date that is typed in part when its page is left, but not when the page is only hidden.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (value === partial && !input.current?.validity.badInput) onChange('');
  }, []);
  const read = ({ currentTarget: { validity, value: typed } }: { currentTarget: HTMLInputElement }) =>
    onChange(validity.badInput ? partial : typed);
  const events = { onChange: read, onKeyUp: read, onBlur: read };
  return <TextInput ref={input} type="datetime-local" defaultValue={defaultValue} {...props} {...events} />;
}
