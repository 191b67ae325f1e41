import { Anchor, Badge, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { ResponseTo } from '../../api/operations.ts';
import { every, seldom, useApi } from '../../api/use-api.ts';
import { AttemptLine, CallbackStatus } from '../../parts/callbacks.tsx';
import { Time } from '../../parts/figures.tsx';
import { LineForm } from '../../parts/form.tsx';
import { Card, Section } from '../../parts/page.tsx';
import { WithResponse } from '../../parts/response.tsx';
import { Rows } from '../../parts/rows.tsx';
import { useSession } from '../../session/session.tsx';
import { TakeBack } from './take-back.tsx';

const again = every(2_000);

export function Follow({ messageId, follow }: { messageId: string; follow: (messageId: string) => void }) {
  return (
    <Card title="Follow a message">
      <Stack gap="sm">
        <LineForm label="Message id" initial={messageId} button="Follow" onSubmit={follow} />
        {messageId === '' ? (
          <Text>
            Paste the id of a message of the last 30 days. The report of a send, as CSV, has those of its
            messages.
          </Text>
        ) : (
          <Followed messageId={messageId} />
        )}
      </Stack>
    </Card>
  );
}

function useHistory(messageId: string) {
  return useApi(
    'GET /push/{messageId}/transactional-state',
    { path: { messageId } },
    { refetchInterval: (query) => outlookOf(query.state.data) !== final && again(query) },
  );
}

function Followed({ messageId }: { messageId: string }) {
  const history = useHistory(messageId);
  return (
    <>
      <States messageId={messageId} history={history} />
      {useSession().may('observer') && <Callbacks messageId={messageId} history={history.data} />}
    </>
  );
}

/** Callbacks follow their states within this time, unless they wait. */
const calledBackMs = 5 * 60_000;

/** The callbacks are read again as long as some may follow, because a long log costs much to search. */
function Callbacks({ messageId, history }: { messageId: string; history: History | undefined }) {
  const last = history?.states.at(-1);
  const isOver = () =>
    outlookOf(history) === final && Date.parse(isoTime(last?.time ?? '')) < Date.now() - calledBackMs;
  const query = useApi(
    'GET /callbacks',
    { query: { messageId } },
    {
      ...seldom,
      refetchInterval: (asked) => {
        const waits = asked.state.data?.callbacks.some(({ status }) => status === 'waiting');
        return (waits || !isOver()) && seldom.refetchInterval(asked);
      },
    },
  );
  return (
    <Section title="Callbacks">
      <WithResponse query={query}>
        {({ callbacks }) => (
          <Rows
            label="Callbacks"
            items={callbacks}
            idOf={({ state }) => state}
            columns={{
              State: ({ state }) => state,
              Callback: ({ status }) => <CallbackStatus status={status} />,
              'Last attempt': ({ attempts }) =>
                attempts.slice(-1).map((one) => <AttemptLine key={one.time} of={one} />),
            }}
            empty="None waits or has failed. Delivered ones are listed if the endpoint's log keeps them."
          />
        )}
      </WithResponse>
      <Anchor component={Link} href={`/callbacks?${new URLSearchParams({ messageId })}`} underline="always">
        Its callbacks
      </Anchor>
    </Section>
  );
}

type History = ResponseTo<'GET /push/{messageId}/transactional-state'>;

type StatesProps = { messageId: string; history: ReturnType<typeof useHistory> };

function States({ messageId, history }: StatesProps) {
  const maySend = useSession().may('messages');
  return (
    <Section title="States">
      <WithResponse query={history}>
        {(data) => (
          <>
            <Rows
              label="States"
              items={data.states}
              idOf={({ state }) => state}
              columns={{
                State: ({ state }) => <Badge {...(ends.has(state) && { color: 'orange' })}>{state}</Badge>,
                Time: ({ time }) => <Time at={isoTime(time)} />,
              }}
            />
            <Text size="xs" c="dimmed" mt={4} role="status">
              {outlookOf(data)}
            </Text>
            {maySend && outlookOf(data) === open && data.states.every(({ state }) => state !== 'OPENED') && (
              <TakeBack of="message" messageId={messageId} on={messageId} />
            )}
          </>
        )}
      </WithResponse>
    </Section>
  );
}

const ends: ReadonlySet<string> = new Set(['EXPIRED', 'CANCELLED']);
const open = 'What follows appears here by itself.';
const final = 'No more states follow.';

function outlookOf(history: History | undefined): string {
  const states = new Set<string>(history?.states.map(({ state }) => state));
  const isOpened = states.has('DELIVERED') && states.has('OPENED');
  if (isOpened || states.has('MSISDN_NOT_REGISTERED')) return final;
  if (states.has('EXPIRED')) return 'It has expired. A phone that showed it in time may still report that.';
  if (states.has('CANCELLED'))
    return 'It was taken back. A phone on which it was opened before may still report that.';
  return open;
}

/** Adds the colon to the offset of `2026-05-20T15:00:00+0300`, which not all browsers read without it. */
function isoTime(time: string): string {
  return time.replace(/(\d\d)(\d\d)$/, '$1:$2');
}
