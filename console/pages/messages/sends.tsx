import { Button, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { count } from '../../parts/count.ts';
import { Card } from '../../parts/page.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Time } from '../../parts/time.tsx';
import { isRegistered, type Send, useSends } from './sending.ts';

type Follow = { follow: (messageId: string) => void };
const button = { size: 'xs', variant: 'default' } as const;

export function Sends({ follow }: Follow) {
  const [sends] = useSends();
  const [chosen, choose] = useState<string>();
  const opened = sends.find(({ id }) => id === chosen) ?? sends[0];
  return (
    <Card title="Sent from this page">
      <Text mb="sm">
        {sends.length === 0 ? 'What you send is listed here. ' : ''}
        They are in the memory of this page only: signing out or loading it again forgets them. Messages can
        be followed by their ids for 30 days.
      </Text>
      {opened && (
        <Rows
          label="Sent from this page"
          items={sends}
          idOf={({ id }) => id}
          columns={{
            Time: ({ at }) => <Time at={at} />,
            Title: ({ title }) => title,
            Registered: ({ messages }) => count(messages.filter(isRegistered).length),
            'Not registered': ({ messages }) => count(messages.filter((one) => !isRegistered(one)).length),
            '': (send) =>
              send !== opened && (
                <Button {...button} onClick={() => choose(send.id)}>
                  Show
                </Button>
              ),
          }}
          detail={(send) => send === opened && <Results key={send.id} send={send} follow={follow} />}
        />
      )}
    </Card>
  );
}

const states = [
  { value: '', label: 'All' },
  { value: 'registered', label: 'Registered' },
  { value: 'others', label: 'Not registered' },
];

const results = {
  ENQUEUED: 'Sent',
  SCHEDULED: 'Planned',
  MSISDN_NOT_REGISTERED: 'Not registered: has no wallet app, gets nothing',
};

function Results({ send, follow }: Follow & { send: Send }) {
  const [chosen, choose] = useState('');
  const shown = send.messages.filter(
    (message) => chosen === '' || isRegistered(message) === (chosen === 'registered'),
  );
  const control = { size: 'xs', mb: 'xs', 'aria-label': 'Results' } as const;
  return (
    <>
      {send.messages.length > 1 && (
        <SegmentedControl {...control} value={chosen} onChange={choose} data={states} />
      )}
      <Paged items={shown} pageSize={10}>
        {(page) => (
          <Rows
            label="Result for each number"
            items={page}
            idOf={({ messageId }) => messageId}
            empty="No number has this result."
            columns={{
              Number: ({ msisdn }) => <span style={{ whiteSpace: 'nowrap' }}>{msisdn}</span>,
              Result: ({ state }) => results[state],
              'Message id': ({ messageId }) => messageId,
              '': ({ msisdn, messageId }) => (
                <Button {...button} aria-label={`Follow ${msisdn}`} onClick={() => follow(messageId)}>
                  Follow
                </Button>
              ),
            }}
          />
        )}
      </Paged>
    </>
  );
}
