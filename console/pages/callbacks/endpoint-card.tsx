import { Anchor, Button, Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ResponseTo } from '../../api/operations.ts';
import { useSend } from '../../api/use-api.ts';
import { BusyButton } from '../../parts/buttons.tsx';
import { Confirmed } from '../../parts/confirmed.tsx';
import { useNewSecret } from '../../parts/dialog.tsx';
import { endpointFacts, sendingFacts } from '../../parts/endpoint.tsx';
import { count, SecretDates, Time } from '../../parts/figures.tsx';
import { Card } from '../../parts/page.tsx';
import { Failure, Waiting } from '../../parts/response.tsx';
import { Facts } from '../../parts/rows.tsx';
import { useSession } from '../../session/session.tsx';
import { newSecret } from './endpoint-form.tsx';
import { type CallbackState, callbackStates } from './states.ts';
import { TestOutcome } from './test-outcome.tsx';

type Endpoint = ResponseTo<'GET /callbacks/endpoint'>;

export function EndpointCard({ endpoint, onEdit }: { endpoint: Endpoint; onEdit: () => void }) {
  return (
    <Card title="Endpoint">
      <Facts
        facts={{
          ...sendingFacts(endpoint),
          ...endpointFacts(endpoint),
          'Signing secrets': <SecretDates secrets={endpoint.secrets} />,
          States: endpoint.states?.join(', ') ?? 'all',
          ...(endpoint.mode === 'post' && postingFacts(endpoint)),
          Events: (
            <Anchor component={Link} href="/events" inherit underline="always">
              Changes and interruptions
            </Anchor>
          ),
        }}
      />
      {useSession().may() && (
        <Group mt="md" gap="xs">
          <Button size="xs" onClick={onEdit}>
            Edit
          </Button>
          <Actions endpoint={endpoint} />
        </Group>
      )}
    </Card>
  );
}

function postingFacts({ examined, basicLogin, timeoutSeconds, maxPerSecond, log }: Endpoint) {
  return {
    Examined: examined ? (
      <>
        <Time at={examined.at} />:{' '}
        {examined.failed.length === 0 ? 'no check failed' : `failed ${examined.failed.join(', ')}`}
        {examined.skipped > 0 && `, ${examined.skipped} not judged`}
      </>
    ) : (
      'not with this address and these secrets'
    ),
    'HTTP Basic': basicLogin ? `with the login ${basicLogin}` : 'not sent',
    Timeout: `${timeoutSeconds} s`,
    Pace: maxPerSecond === undefined ? 'no limit' : `${count(maxPerSecond)} a second at most`,
    Log:
      log === 'all'
        ? 'all callbacks; those delivered at once for 3 days'
        : 'callbacks that were not delivered at once',
  };
}

/** The button of each action, and what its dialog explains. */
const actions = {
  disable: [
    'Disable the endpoint',
    'Nothing is sent until you enable it. Its callbacks are skipped: they are kept for 30 days, and you can replay them.',
  ],
  enable: [
    'Enable the endpoint',
    'Callbacks are sent again, first those that wait for a retry. Skipped ones are sent only when you replay them.',
  ],
  rotate: [
    'Rotate the secret',
    'You get a second signing secret. Callbacks are signed with both until you retire the older one.',
  ],
  replace: [
    'Replace the newer secret',
    'Do this if the newer secret was lost before it was stored. It ends, and you get another one. Callbacks stay signed with the older one too.',
  ],
  retire: [
    'Retire the older secret',
    'Callbacks are then signed with the newer secret only. Your endpoint must know it already.',
  ],
} as const;

function Actions({ endpoint: { status, secrets } }: { endpoint: Endpoint }) {
  const showSecret = useNewSecret();
  const fitting = [
    status === 'ENABLED' ? 'disable' : 'enable',
    ...(secrets.length < 2 ? (['rotate'] as const) : (['replace', 'retire'] as const)),
  ] as const;
  return fitting.map((action, place) => {
    const [name, explanation] = actions[action];
    const isReplacing = action === 'replace';
    const request = isReplacing ? 'rotate' : action;
    return (
      <Confirmed
        // The button keeps the focus when it becomes another one. If the response to a rotation is lost, its dialog stays and
        // offers to replace the secret that nobody saw.
        // biome-ignore lint/suspicious/noArrayIndexKey: what stands at a place changes
        key={place}
        name={name}
        title={`${name}?`}
        route={`POST /callbacks/endpoint/${request}`}
        input={isReplacing ? { body: { replace: true } } : {}}
        changes={['GET /callbacks/endpoint', 'GET /callbacks']}
        onDone={(done) => 'secret' in done && showSecret({ ...newSecret, secret: done.secret })}
      >
        {explanation}
      </Confirmed>
    );
  });
}

export function TestCard() {
  const [state, setState] = useState<CallbackState>('DELIVERED');
  const { mutate, data, error, isPending } = useSend('POST /callbacks/test');
  return (
    <Card title="Test">
      <Text mb="sm">
        Sends one signed callback now, without retries. This works even while the endpoint is disabled.
      </Text>
      <Group mb="sm">
        <NativeSelect
          aria-label="State"
          data={callbackStates}
          value={state}
          onChange={({ currentTarget }) => setState(currentTarget.value as CallbackState)}
        />
        <BusyButton busy={isPending} onClick={() => mutate({ body: { state } })}>
          Send a test
        </BusyButton>
      </Group>
      {isPending ? <Waiting what="Waiting for your endpoint" /> : data && <TestOutcome {...data} />}
      <Failure error={error} title="The test was not sent" />
    </Card>
  );
}
