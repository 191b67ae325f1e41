import { Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ApiError } from '../../api/api-error.ts';
import { BusyButton } from '../../parts/busy-button.tsx';
import { count } from '../../parts/count.ts';
import { durationOf, isFinal, type Report } from '../../parts/funnel.ts';
import { Failure } from '../../parts/response.tsx';
import { Facts } from '../../parts/rows.tsx';
import { saveCsv } from '../../parts/save-file.ts';
import { Time } from '../../parts/time.tsx';
import { useSession } from '../../session/session.tsx';

export function ReportDetails({ report }: { report: Report }) {
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
