import { Alert, Button, type ButtonProps, Code, CopyButton, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** The dialog is open unless `secret` is undefined. It is null if the API repeats a response, which has no secret. */
type Props = { title: string; secret: string | null | undefined; onStored: () => void; children: ReactNode };

/** The user cannot close a dialog with these except by buttons inside it. */
export const locked = { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false };

/** Shows a new secret. The only way to close the dialog is to say that the secret is stored. */
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
          Copy it now, because it is never shown again. A lost secret can only be replaced.
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
