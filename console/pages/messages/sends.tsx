import { Button, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { Card } from '../../parts/card.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Time } from '../../parts/time.tsx';
import { type Send, useSends } from './sending.ts';

interface Props {
  readonly follow: (messageId: string) => void;
}

/** What was sent in this session, with the answers. */
export function Sends({ follow }: Props) {
  const [sends] = useSends();
  const [chosen, choose] = useState<string>();
  const [newest] = sends;
  const opened = sends.find(({ id }) => id === chosen) ?? newest;
  return (
    <Card title="Recent sends">
      <Text size="sm" mb="sm">
        {sends.length === 0 ? 'What you send is listed here. ' : ''}
        They are in the memory of this page only: signing out or loading it again forgets them. Messages can
        be followed by their ids for 30 days.
      </Text>
      {opened && (
        <Rows
          label="Recent sends"
          columns={['Time', 'Title', 'Sent', 'Not registered', '']}
          rows={sends.map((send) => ({
            key: send.id,
            cells: [
              <Time key="time" at={send.at} />,
              send.title,
              ofState(send, 'ENQUEUED').length.toLocaleString('en-GB'),
              ofState(send, 'MSISDN_NOT_REGISTERED').length.toLocaleString('en-GB'),
              send !== opened && (
                <Button key="show" size="xs" variant="default" onClick={() => choose(send.id)}>
                  Show
                </Button>
              ),
            ],
            detail: send === opened && <Answers key={send.id} send={send} follow={follow} />,
          }))}
        />
      )}
    </Card>
  );
}

function Answers({ send, follow }: Props & { readonly send: Send }) {
  const [state, choose] = useState('');
  const shown = state === '' ? send.answers : ofState(send, state);
  return (
    <>
      {send.answers.length > 1 && (
        <SegmentedControl
          size="xs"
          mb="xs"
          aria-label="Answers"
          value={state}
          onChange={choose}
          data={[
            { value: '', label: 'All' },
            { value: 'ENQUEUED', label: 'Sent' },
            { value: 'MSISDN_NOT_REGISTERED', label: 'Not registered' },
          ]}
        />
      )}
      {shown.length === 0 && <Text size="sm">No number was answered so.</Text>}
      <Paged items={shown} pageSize={10}>
        {(page) => (
          <Rows
            label="Answer for each number"
            columns={['Number', 'Answer', 'Message id', '']}
            rows={page.map(({ msisdn, state: of, messageId }) => ({
              key: messageId,
              cells: [
                <Text key="number" size="sm" style={{ whiteSpace: 'nowrap' }}>
                  {msisdn}
                </Text>,
                of === 'ENQUEUED' ? 'Sent' : 'Not registered: has no wallet app, gets nothing',
                messageId,
                <Button
                  key="follow"
                  size="xs"
                  variant="default"
                  aria-label={`Follow ${msisdn}`}
                  onClick={() => follow(messageId)}
                >
                  Follow
                </Button>,
              ],
            }))}
          />
        )}
      </Paged>
    </>
  );
}

function ofState({ answers }: Send, state: string): Send['answers'] {
  return answers.filter((answer) => answer.state === state);
}
