import { Alert, Badge, Text } from '@mantine/core';
import type { ResponseTo } from '../../api/operations.ts';
import { useSend } from '../../api/use-api.ts';
import { BusyButton } from '../../parts/buttons.tsx';
import { Card } from '../../parts/page.tsx';
import { Failure, Waiting } from '../../parts/response.tsx';
import { Rows } from '../../parts/rows.tsx';

type Examination = ResponseTo<'POST /callbacks/examine'>;

/** The colour of each verdict, and the words that stand for it. */
const verdicts: Readonly<Record<Examination['checks'][number]['verdict'], readonly [string, string]>> = {
  PASSED: ['green', 'passed'],
  FAILED: ['red', 'failed'],
  ADVICE: ['yellow', 'could be better'],
  SKIPPED: ['gray', 'not judged'],
};

export function ExaminationCard() {
  const { mutate, data, error, isPending } = useSend('POST /callbacks/examine', ['GET /callbacks/endpoint']);
  return (
    <Card title="Examination">
      <Text mb="sm">
        Sends your endpoint valid callbacks, which it must take, and forged, changed and old ones, which it
        must refuse. They are about messages and numbers that exist nowhere, and change nothing of what you
        see here. It takes up to 25 seconds, and works even while the endpoint is disabled.
      </Text>
      <BusyButton mb="sm" busy={isPending} onClick={() => mutate({})}>
        Examine
      </BusyButton>
      {isPending && <Waiting what="Examining your endpoint" />}
      <Failure error={error} title="The endpoint was not examined" />
      {!isPending && data && <Outcome {...data} />}
    </Card>
  );
}

function Outcome({ passed, failed, checks }: Examination) {
  const others = checks.length - passed - failed;
  return (
    <>
      <Alert role="status" color={failed > 0 ? 'red' : others > 0 ? 'yellow' : 'green'} mb="sm">
        {passed} of {checks.length} checks passed, {failed} failed.
        {others > 0 && ` ${others} could be better or were not judged.`}
      </Alert>
      <Rows
        label="Checks"
        items={checks}
        idOf={({ check }) => check}
        columns={{
          Check: ({ check }) => <span style={{ whiteSpace: 'nowrap' }}>{check}</span>,
          Verdict: ({ verdict }) => {
            const [color, words] = verdicts[verdict];
            return <Badge color={color}>{words}</Badge>;
          },
          Response: ({ expected, httpStatus, durationMs, verdict }) =>
            verdict !== 'SKIPPED' &&
            `${httpStatus ?? 'none'}, should be ${expected}; ${Math.round(durationMs ?? 0)} ms`,
          'What it means': ({ meaning }) => meaning,
        }}
      />
    </>
  );
}
