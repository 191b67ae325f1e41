import { Alert, Button, type ButtonProps, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { useSession } from '../session/session.tsx';
import { useSessionState } from '../session/session-state.ts';

/** The user cannot close a dialog with these except by buttons inside it. */
export const locked = { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false };

/** The secret is null if an earlier request has made it, because a secret is shown only once. */
type NewSecret = { title: string; secret: string | null; about: string };

const none: readonly NewSecret[] = [];

/** Another dialog may have been opened while the request ran. */
const onTop = { ...locked, centered: true, zIndex: 300 };

/** Returns a function that shows a secret, even if the page was left before the secret came. */
export function useNewSecret() {
  const [, setShown] = useSessionState('new secrets', none);
  return (made: NewSecret) => setShown((before) => [...before, made]);
}

/**
 * Shows new secrets, one after the other, to a full key: another one may have signed in since. The only way to close the
 * dialog is to say that the secret is stored.
 */
export function SecretOnce() {
  const { may } = useSession();
  const [[shown], setShown] = useSessionState('new secrets', none);
  const { title, secret, about } = shown ?? {};
  const close = () => setShown((before) => before.slice(1));
  return (
    <Modal opened={shown !== undefined && may()} onClose={close} title={title} {...onTop}>
      <Stack>
        <Text>{about}</Text>
        {secret !== null && (
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
