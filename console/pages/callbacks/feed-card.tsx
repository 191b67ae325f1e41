import { Code, Text } from '@mantine/core';
import { Card } from '../../parts/page.tsx';
import { Copy } from '../../parts/secret.tsx';

/** Says how to read the feed. It takes the place of the test, because a feed has no receiver to try. */
export function FeedCard() {
  const command = `curl -u LOGIN:SECRET '${window.location.origin}/callbacks/feed'`;
  return (
    <Card title="Read your feed">
      <Text mb="sm">
        Nothing is posted, so there is no receiver to test or to examine. With a full or an observer key, read
        what would be posted:
      </Text>
      <Code block tabIndex={0} role="region" aria-label="A request of the feed" mb="xs">
        {command}
      </Code>
      <Copy value={command} mb="sm" />
      <Text>
        Store the cursor of the response with what you have processed, and go on with it (?cursor=...): at
        once while “more” is true, else after 5 seconds or more. Ignore repeats by webhookId. Callbacks appear
        after 10 seconds and stay for 7 days.
      </Text>
    </Card>
  );
}
