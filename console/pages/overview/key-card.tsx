import { Progress, Text } from '@mantine/core';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { useSession } from '../../session/session.tsx';

/** The key that is signed in, and how much of the rate is used. */
export function KeyCard() {
  const { key } = useSession();
  const { login, role, offerIds, placeIds, limits } = key;
  return (
    <Card title="Key and limits">
      <Facts
        facts={[
          ['Login', login],
          ['Role', role],
          ['Offers', offerIds.join(', ')],
          ...(placeIds ? [['Service points', placeIds.join(', ')] as const] : []),
          ['Recipients a request', limits.bulkRecipients.toLocaleString('en-GB')],
          ['Recipients a minute', limits.pushesPerMinute.toLocaleString('en-GB')],
        ]}
      />
      {(role === 'full' || role === 'messages') && <RateUsed />}
    </Card>
  );
}

function RateUsed() {
  const { rate } = useSession();
  if (!rate) {
    return (
      <Text size="sm" mt="sm">
        Nothing was sent from this page in the current minute.
      </Text>
    );
  }
  const used = rate.limit - rate.remaining;
  return (
    <>
      <Text size="sm" mt="sm">
        {used.toLocaleString('en-GB')} of {rate.limit.toLocaleString('en-GB')} used in this minute
      </Text>
      <Progress value={(100 * used) / rate.limit} aria-label="Rate used" mt={4} />
    </>
  );
}
