import { Button } from '@mantine/core';

type Props = { name: string; on: string; isOpen: boolean; onToggle: (isOpen: boolean) => void };

/** Shows and hides the details of a row. `on` names the row for screen readers. */
export function Disclosure({ name, on, isOpen, onToggle }: Props) {
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
