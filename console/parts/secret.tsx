import { Alert, Button, type ButtonProps, Code, CopyButton, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
  /** Opens the dialog; null is the API's answer to a repetition. */
  readonly secret: string | null | undefined;
  readonly onStored: () => void;
}

const locked = { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false };

/** Shows a new secret until it is stored; there is no other way to close it. */
export function SecretOnce({ title, secret, onStored, children }: Props) {
  return (
    <Modal opened={secret !== undefined} onClose={onStored} title={title} centered {...locked}>
      <Stack>
        <Stack gap="xs" fz="sm">
          {children}
        </Stack>
        <Group gap="xs" wrap="nowrap">
          <Code
            block
            flex={1}
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
            aria-label="Secret"
          >
            {secret}
          </Code>
          <Copy value={secret ?? ''} size="sm" variant="filled" />
        </Group>
        <Alert color="yellow">
          Copy it now: it is never shown again. A lost secret can only be replaced.
        </Alert>
        <Button variant="default" onClick={onStored}>
          I have stored it
        </Button>
      </Stack>
    </Modal>
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
