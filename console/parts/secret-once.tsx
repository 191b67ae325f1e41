import { Alert, Button, Code, CopyButton, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** What it is for, and what to do with it. */
  readonly children: ReactNode;
  /** Opens the dialog; null is the API's answer to a repetition. */
  readonly secret: string | null | undefined;
  readonly onStored: () => void;
}

/** Shows a new secret until it is stored; there is no other way to close it. */
export function SecretOnce({ title, secret, onStored, children }: Props) {
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onStored}
      title={title}
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
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
          <CopyButton value={secret ?? ''}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy'}</Button>}
          </CopyButton>
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
