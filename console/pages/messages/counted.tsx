import { Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { lengthOf } from './draft.ts';

interface Props extends Pick<TextInputProps, 'label' | 'placeholder' | 'inputMode'> {
  readonly value: string;
  readonly limit: number;
  readonly problem?: string | undefined;
  readonly rows?: number;
  readonly onChange: (value: string) => void;
}

/** A text with the number of characters that are left. */
export function Counted({ value, limit, problem, rows, onChange, ...props }: Props) {
  const field = {
    ...props,
    value,
    description: `${lengthOf(value)} of ${limit} characters`,
    error: problem,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  return rows ? <Textarea {...field} rows={rows} /> : <TextInput {...field} autoComplete="off" />;
}
