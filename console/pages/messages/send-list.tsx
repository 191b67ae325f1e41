import { Box, Divider, Grid, Group, Stack, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiError } from '../../api/api-error.ts';
import type { ResponseTo } from '../../api/operations.ts';
import { every, useApi } from '../../api/use-api.ts';
import { Bar } from '../../parts/bar.tsx';
import { BusyButton, Disclosure } from '../../parts/buttons.tsx';
import { count, Time } from '../../parts/figures.tsx';
import { durationOf, freshMs, isFinal, type Report, stagesOf, unopenedOf } from '../../parts/funnel.ts';
import { Card } from '../../parts/page.tsx';
import { PageByPage } from '../../parts/paged.tsx';
import { Failure, WithResponse } from '../../parts/response.tsx';
import { Facts } from '../../parts/rows.tsx';
import { saveCsv } from '../../parts/save-file.ts';
import { useSession } from '../../session/session.tsx';
import { Hours } from './hours.tsx';
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
  const unopened = report.data ? unopenedOf(report.data) : 0;
  const mayBeUnopened = report.data ? unopened > 0 : report.isFetched;
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
          {cancelledAt && report.data && (
            <Text size="xs" role="status">
              {`Taken back: ${count(report.data.cancelled)} of ${count(report.data.cancelled + unopened)} unopened messages are gone.`}
            </Text>
          )}
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

const grid = {
  display: 'grid',
  gridTemplateColumns: 'max-content minmax(60px, 1fr) max-content',
  gap: '2px 12px',
  alignItems: 'center',
};
const asCells = { display: 'contents' };
const colors: Readonly<Record<string, 'gray.6' | 'orange'>> = {
  Recipients: 'gray.6',
  Expired: 'orange',
  'Taken back': 'orange',
};

/** The stages of a send as bars below each other, with their numbers and shares beside them. */
function Funnel({ report }: { report: Report }) {
  return (
    <Box component="dl" m={0} style={grid}>
      {stagesOf(report).map(({ name, share, text }) => (
        <div key={name} style={asCells}>
          <Text component="dt" size="xs">
            {name}
          </Text>
          <dd style={{ margin: 0 }}>
            <Bar share={share} {...(colors[name] ? { color: colors[name] } : {})} />
          </dd>
          <Text component="dd" size="xs" m={0} ta="right" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {text}
          </Text>
        </div>
      ))}
    </Box>
  );
}

function ReportDetails({ report }: { report: Report }) {
  const { deliverFrom, deliverDue, utm, messageId, title = 'Several titles' } = report;
  const { scheduled, erased, expired, cancelled, cancelledAt } = report;
  const planned = cancelledAt ? 'taken back within a minute' : 'handed over at the time below';
  return (
    <Group role="group" aria-label={`Report of ${title}`} align="flex-start" gap="xl" mt="sm">
      <Facts
        facts={{
          'Not registered': `${count(report.notRegistered)}: no wallet app, nothing was sent`,
          Planned: scheduled > 0 ? `${count(scheduled)}: ${planned}` : undefined,
          'On the way': count(report.enqueued),
          'Delivered, not opened': count(report.delivered),
          Opened: count(report.opened),
          'Delivered within': speedOf(report.deliveredWithin),
          'Opened within': speedOf(report.openedWithin),
          Expired: expired > 0 ? `${count(expired)}: not delivered by the deadline` : undefined,
          'Taken back': cancelled > 0 ? `${count(cancelled)}: not opened before` : undefined,
          Erased: erased > 0 ? `${count(erased)}: their numbers were erased` : undefined,
          'Planned for': deliverFrom && <Time at={deliverFrom} />,
          Deadline: deliverDue && <Time at={deliverDue} />,
          UTM: utm && JSON.stringify(utm),
          'Id of its first message': messageId,
        }}
      />
      <div>
        <Download messageId={messageId} />
        <Text size="xs" c="dimmed" mt={4} maw={280} role="status">
          {isFinal(report)
            ? 'Nothing in this report can change any more.'
            : 'New states appear here by themselves, for older sends more seldom.'}
        </Text>
      </div>
      <Hours report={report} />
    </Group>
  );
}

function speedOf(within: Report['openedWithin']) {
  return within && `${durationOf(within.p50Seconds)} by half, ${durationOf(within.p95Seconds)} by 95 %`;
}

function Download({ messageId }: { messageId: string }) {
  const { call } = useSession();
  const { mutate, error, isPending } = useMutation<unknown, ApiError, void>({
    mutationFn: () =>
      call('GET /push/{messageId}/report', { path: { messageId } }, { headers: { accept: 'text/csv' } }),
    onSuccess: (csv) => saveCsv(`report-${messageId}.csv`, String(csv)),
  });
  return (
    <>
      <BusyButton size="xs" busy={isPending} onClick={() => mutate()}>
        Download as CSV
      </BusyButton>
      <Text size="xs" mt={4} maw={280}>
        A line for each recipient: its number, message id, state and times.
      </Text>
      <Failure error={error} title="This could not be downloaded" />
    </>
  );
}
