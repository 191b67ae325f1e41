import { Anchor, Button, Text } from '@mantine/core';
import { Link } from 'wouter';

/** `what` was done, such as "Sent to 1 number". `messageId` is empty unless it was one message. */
export function Sent({ what, messageId, renew }: { what: string; messageId: string; renew: () => void }) {
  return (
    <>
      <Text role="status">{what}. The same message is not sent twice by a second click.</Text>
      {messageId !== '' && (
        <Anchor
          component={Link}
          href={`/messages?${new URLSearchParams({ id: messageId })}`}
          underline="always"
        >
          Follow it
        </Anchor>
      )}
      <Button variant="default" onClick={renew}>
        Send it once more
      </Button>
    </>
  );
}
