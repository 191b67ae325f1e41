import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { ComponentProps } from 'react';

type Props = ButtonProps & Omit<ComponentProps<'button'>, keyof ButtonProps> & { busy: boolean };

/** A button that does nothing while its request runs. It is not disabled then, which would take the focus away. */
export function BusyButton({ busy, onClick, ...props }: Props) {
  return (
    <Button
      {...props}
      aria-disabled={busy}
      data-disabled={busy}
      leftSection={busy && <Loader size="xs" />}
      onClick={busy ? undefined : onClick}
    />
  );
}
