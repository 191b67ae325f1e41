import { Divider, Grid, Group, Stack, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useState } from 'react';
import type { ResponseTo } from '../../api/operations.ts';
import { every, useApi } from '../../api/use-api.ts';
import { count } from '../../parts/count.ts';
import { Disclosure } from '../../parts/disclosure.tsx';
import { freshMs, isFinal, type Report, unopenedOf } from '../../parts/funnel.ts';
import { Card } from '../../parts/page.tsx';
import { PageByPage } from '../../parts/page-by-page.tsx';
import { WithResponse } from '../../parts/response.tsx';
import { Time } from '../../parts/time.tsx';
import { useSession } from '../../session/session.tsx';
import { Funnel } from './funnel.tsx';
import { ReportDetails } from './report-details.tsx';
import { TakeBack } from './take-back.tsx';

type Send = ResponseTo<'GET /push'>['sends'][number];

/** All sends to more than one number, whoever sent them. */
export function SendList() {
  return (
    <Card title="Sends of the last 30 days">
      <PageByPage route="GET /push" query={{ limit: 5 }}>
        {({ sends }, isFirst) => (
          <>
            {sends.length === 0 && (
              <Text>
                {isFirst
                  ? 'Sends to more than one number are listed here, newest first. A single message is followed by its id, below.'
                  : 'There are no older sends.'}
              </Text>
            )}
            <Stack component="ul" aria-label="Sends" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
              {sends.map((send, n) => (
                <li key={send.messageId}>
                  {n > 0 && <Divider mb="sm" />}
                  <SendItem send={send} />
                </li>
              ))}
            </Stack>
          </>
        )}
      </PageByPage>
    </Card>
  );
}

function SendItem({ send }: { send: Send }) {
  const { messageId, acceptedAt, deliverFrom, cancelledAt, recipients, pushType } = send;
  const { title = 'Several titles' } = send;
  const maySend = useSession().may('messages');
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [isOpen, setOpen] = useState(false);
  const report = useReport(send, inViewport);
  // A report that could not be read must not keep anybody from taking the send back.
  const mayBeUnopened = report.data ? unopenedOf(report.data) > 0 : report.isFetched;
  return (
    <div ref={ref}>
      <Grid gap="sm" align="center">
        <Grid.Col span={{ base: 12, sm: 5 }}>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Text>
          <Text c="dimmed" size="xs">
            <Time at={acceptedAt} />
            {` · ${pushType ?? 'several types'} · ${count(recipients, 'recipient')}`}
          </Text>
          {deliverFrom && (
            <Text size="xs">
              Planned for <Time at={deliverFrom} />
            </Text>
          )}
          {cancelledAt && report.data && <TakenBack report={report.data} />}
          <Group gap="xs" mt={4}>
            <Disclosure name="Report" on={`of ${title}`} isOpen={isOpen} onToggle={setOpen} />
            {maySend && !cancelledAt && mayBeUnopened && (
              <TakeBack of="send" messageId={messageId} on={title} />
            )}
          </Group>
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 7 }} mih={96}>
          {(inViewport || report.data) && (
            <WithResponse query={report}>{(data) => <Funnel report={data} />}</WithResponse>
          )}
        </Grid.Col>
      </Grid>
      {isOpen && report.data && <ReportDetails report={report.data} />}
    </div>
  );
}

function TakenBack({ report }: { report: Report }) {
  const { cancelled } = report;
  const unopened = unopenedOf(report);
  return (
    <Text size="xs" role="status">
      {`Taken back: ${count(cancelled)} of ${count(cancelled + unopened)} unopened messages are gone.`}
    </Text>
  );
}

/** Asks while the send is in view, and not for what cannot change any more. */
function useReport(send: Send, isInView: boolean) {
  const { messageId } = send;
  return useApi(
    'GET /push/{messageId}/report',
    { path: { messageId } },
    {
      enabled: isInView,
      staleTime: ({ state: { data } }) => (data && isFinal(data) ? Number.POSITIVE_INFINITY : freshMs(send)),
      refetchInterval: (query) => {
        const { data } = query.state;
        return !(data && isFinal(data)) && every(freshMs(send))(query);
      },
    },
  );
}
