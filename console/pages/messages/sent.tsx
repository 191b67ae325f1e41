import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { count, Time } from '../../parts/figures.tsx';
import { Card } from '../../parts/page.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Rows } from '../../parts/rows.tsx';
import { useSent } from './sending.ts';

/** The id of the element in which a message is followed. */
export const followId = 'follow';

/** Lists the sends from this page, single messages too, which the list of sends lacks. */
export function SentList() {
  const sent = useSent();
  if (sent.length === 0) return null;
  return (
    <Card title="Sent from this page">
      <Text mb="sm">Kept here for 24 hours, or until you sign out or load the page again.</Text>
      <Paged items={sent} pageSize={10}>
        {(shown) => (
          <Rows
            label="Sent from this page"
            items={shown}
            idOf={({ key }) => key}
            columns={{
              Requested: ({ atMs }) => <Time at={new Date(atMs).toISOString()} />,
              Title: ({ content }) => content.payload.title,
              To: ({ numbers }) => (numbers.length === 1 ? numbers[0] : count(numbers.length, 'number')),
              Result: resultOf,
              States: ({ ids, numbers, content }) => (
                <FollowLink ids={ids} name="Follow" on={`${content.payload.title} to ${numbers[0]}`} />
              ),
            }}
          />
        )}
      </Paged>
    </Card>
  );
}

type SentTry = ReturnType<typeof useSent>[number];

function resultOf({ content, numbers, reached, isTakenBack }: SentTry): string {
  if (isTakenBack) return 'Taken back';
  if (reached === 0) return 'Not sent: no wallet app';
  const [done, to] = content.qos?.deliverFrom === undefined ? ['Sent', 'to'] : ['Planned', 'for'];
  return reached === numbers.length ? done : `${done} ${to} ${count(reached)} with the wallet app`;
}

type SentProps = {
  ids: readonly string[];
  reached: number;
  atMs: number;
  numbers: readonly number[];
  isPlanned: boolean;
};

/**
 * The outcome of a send, with a link to the message if it was a single one. Its time is for users who write the same again
 * hours later.
 */
export function Sent({ ids, reached, atMs, numbers, isPlanned }: SentProps) {
  const many = numbers.length;
  const to = count(many, 'number');
  const noneReached =
    many === 1
      ? `${numbers[0]} has no wallet app. Check the number and its country code`
      : `none of the ${to} has the wallet app`;
  const toReached = reached === many ? to : `${count(reached)} of ${to} (the others have no wallet app)`;
  return (
    <>
      <Text role="status">
        {reached === 0
          ? `Not sent: ${noneReached}.`
          : `${isPlanned ? 'Planned for' : 'Sent to'} ${toReached}. The same message is not sent twice by a second click.`}{' '}
        Requested <Time at={new Date(atMs).toISOString()} />.
      </Text>
      <FollowLink ids={ids} name="Follow it" />
    </>
  );
}

/** A link to a message that was sent alone: the list of sends has those of several. */
function FollowLink({ ids, name, on }: { ids: readonly string[]; name: string; on?: string }) {
  if (ids.length !== 1) return null;
  return (
    <Anchor
      component={Link}
      href={`/messages?${new URLSearchParams({ id: ids.join() })}`}
      size="sm"
      underline="always"
      aria-label={on && `${name} ${on}`}
      // In a narrow window, preview and phone are between the link and what it leads to.
      onClick={() => document.getElementById(followId)?.scrollIntoView()}
    >
      {name}
    </Anchor>
  );
}
