import { Badge, Text } from '@mantine/core';
import { Answered } from '../../parts/answered.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/time.tsx';
import { useSession } from '../../session/session.tsx';
import type { SessionsQuery } from './queries.ts';

/** The newest list of service points that was sent. */
export function SessionCard({ sessions }: { readonly sessions: SessionsQuery }) {
  const { offerId } = useSession();
  return (
    <Card title="Service points" more={{ name: 'Service points', path: '/service-points' }}>
      <Answered query={sessions}>
        {({ sessions: [last] }) => {
          if (!last) return <Text size="sm">No list was sent for {offerId} yet.</Text>;
          const { startedAt, status, dryRun, counts } = last;
          const { received, rejected, removalsHeld, ...changes } = counts;
          return (
            <Facts
              facts={[
                ['Last list', <Time key="time" at={startedAt} />],
                [
                  'Status',
                  <Badge key="status" color={status === 'FINISHED' ? 'green' : 'blue'}>
                    {dryRun ? `${status}, DRY RUN` : status}
                  </Badge>,
                ],
                ['Received', received],
                ...Object.entries(changes).map(([name, count]) => [capitalized(name), count] as const),
                ['Rejected', rejected],
                ...(removalsHeld ? [['Removals held', removalsHeld] as const] : []),
              ]}
            />
          );
        }}
      </Answered>
    </Card>
  );
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
