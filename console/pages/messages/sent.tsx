import { Anchor, Button, Text } from '@mantine/core';
import { Link } from 'wouter';

/** The id of the element in which a message is followed. */
export const followId = 'follow';

/** `what` says what was done. `messageId` is empty unless it was one message. */
export function Sent({ what, messageId, renew }: { what: string; messageId: string; renew: () => void }) {
  return (
    <>
      <Text role="status">{what}</Text>
      {messageId !== '' && (
        <Anchor
          component={Link}
          href={`/messages?${new URLSearchParams({ id: messageId })}`}
          underline="always"
          // In a narrow window, preview and phone are between the link and what it leads to.
          onClick={() => document.getElementById(followId)?.scrollIntoView()}
        >
          Follow it
        </Anchor>
      )}
      <Button variant="default" onClick={renew}>
        Send it again
      </Button>
    </>
  );
}
