import { Anchor, List } from '@mantine/core';
import { Link } from 'wouter';
import { Card } from '../../parts/card.tsx';
import { useSession } from '../../session/session.tsx';
import type { EndpointQuery, SessionsQuery } from './queries.ts';

interface Props {
  readonly endpoint: EndpointQuery;
  readonly sessions: SessionsQuery;
}

/** What to do first, until it is done. */
export function FirstSteps({ endpoint, sessions }: Props) {
  const { key } = useSession();
  const may = (role: string) => key.role === 'full' || key.role === role;
  const steps = [
    ...(may('catalog') && sessions.data?.sessions.length === 0
      ? [
          {
            path: '/service-points',
            link: 'Upload your service points',
            rest: ': a JSON or CSV file, checked before it is sent.',
          },
        ]
      : []),
    ...(may('full') && endpoint.error?.code === 'ENDPOINT_NOT_SET'
      ? [
          {
            path: '/callbacks',
            link: 'Set your callback endpoint',
            rest: ', send a test to it, and verify the signature.',
          },
        ]
      : []),
  ];
  if (steps.length === 0) return null;
  const message = {
    path: '/messages',
    link: 'Send a first message',
    rest: ' and follow what becomes of it.',
  };
  return (
    <Card title="What to do first">
      <List type="ordered">
        {[...steps, ...(may('messages') ? [message] : [])].map(({ path, link, rest }) => (
          <List.Item key={path}>
            <Anchor component={Link} href={path} underline="always">
              {link}
            </Anchor>
            {rest}
          </List.Item>
        ))}
      </List>
    </Card>
  );
}
