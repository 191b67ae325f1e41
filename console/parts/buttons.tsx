import { Button, type ButtonProps, CopyButton, Loader } from '@mantine/core';
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

type DisclosureProps = { name: string; on: string; isOpen: boolean; onToggle: (isOpen: boolean) => void };

/** Shows and hides the details of a row. `on` names the row for screen readers. */
export function Disclosure({ name, on, isOpen, onToggle }: DisclosureProps) {
  return (
    <Button
      size="compact-xs"
      variant="default"
      miw="max-content"
      aria-expanded={isOpen}
      aria-label={`${name} ${on}`}
      onClick={() => onToggle(!isOpen)}
    >
      {name}
      <span aria-hidden>{isOpen ? '\u00a0▴' : '\u00a0▾'}</span>
    </Button>
  );
}

export function Copy({ value, ...props }: ButtonProps & { value: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button size="xs" variant="default" {...props} onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  );
}
