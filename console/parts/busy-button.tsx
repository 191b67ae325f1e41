import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { ComponentProps } from 'react';

type Props = ButtonProps &
  Omit<ComponentProps<'button'>, keyof ButtonProps> & { busy: boolean; isDone?: boolean; repeats?: boolean };

/**
 * A button that does nothing while its request runs, or after it is done. It is not disabled then, which would take the
 * focus away. Nor does the second click of a double click do anything, which comes before the page knows of the request,
 * unless the button `repeats` what it does.
 */
export function BusyButton({ busy, isDone = false, repeats = false, onClick, ...props }: Props) {
  const isIdle = !busy && !isDone;
  return (
    <Button
      {...props}
      aria-disabled={!isIdle}
      data-disabled={!isIdle}
      leftSection={busy && <Loader size="xs" />}
      onClick={(event) => {
        if (isIdle && (repeats || event.detail < 2)) onClick?.(event);
        else event.preventDefault();
      }}
    />
  );
}
