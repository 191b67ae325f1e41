import { Alert, Button, Code, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSession, useSessionState } from '../session/session.tsx';
import { Copy } from './buttons.tsx';

/** The user closes a dialog that is locked only by buttons inside it, and none while a new secret is shown above it. */
export function Dialog({ isLocked = false, ...props }: ModalProps & { isLocked?: boolean }) {
  const [secret] = useShownSecret();
  const canBeClosed = !isLocked && secret === undefined;
  return (
    <Modal
      closeOnClickOutside={canBeClosed}
      closeOnEscape={canBeClosed}
      withCloseButton={canBeClosed}
      {...props}
    />
  );
}

/** A dialog that is open for the key that opened it. Another one that signs in must not see what was typed in it. */
export function useOwnDialog() {
  const { login } = useSession().key;
  const [openFor, setOpenFor] = useState<string>();
  return [openFor === login, { open: () => setOpenFor(login), close: () => setOpenFor(undefined) }] as const;
}

/** The secret is null if an earlier request has made it, because a secret is shown only once. */
type NewSecret = { title: string; secret: string | null; about: string };

const none: readonly NewSecret[] = [];

/** Returns a function that shows a secret, even if the page was left before the secret came. */
export function useNewSecret() {
  const [, setShown] = useSessionState('new secrets', none);
  return (made: NewSecret) => setShown((before) => [...before, made]);
}

/** The secret that a full key is shown now, and what ends that. Another key may have signed in since it was made. */
function useShownSecret() {
  const { may } = useSession();
  const [[first], setShown] = useSessionState('new secrets', none);
  return [may() ? first : undefined, () => setShown((before) => before.slice(1))] as const;
}

/** Shows new secrets, one after the other. The only way to close the dialog is to say that the secret is stored. */
export function SecretOnce() {
  const [shown, close] = useShownSecret();
  const { title, secret, about } = shown ?? {};
  return (
    // Another dialog may have been opened while the request ran.
    <Dialog opened={shown !== undefined} onClose={close} title={title} centered isLocked zIndex={300}>
      <Stack>
        <Text>{about}</Text>
        {secret !== null && (
          <Group gap="xs" wrap="nowrap">
            <Code block flex={1} aria-label="Secret">
              {secret}
            </Code>
            <Copy value={secret ?? ''} size="sm" variant="filled" />
          </Group>
        )}
        <Alert color="yellow">
          {secret === null
            ? 'It was made before, and a secret is shown only once. If nobody has stored it, rotate it.'
            : 'Copy it now, because it is never shown again. A lost secret can only be replaced.'}
        </Alert>
        {/* The second click of a double click must not close the next secret. */}
        <Button variant="default" onClick={({ detail }) => detail < 2 && close()}>
          {secret === null ? 'Close' : 'I have stored it'}
        </Button>
      </Stack>
    </Dialog>
  );
}
