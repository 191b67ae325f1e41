import { Badge, Button, Code, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../api/operations.ts';
import { useSend } from '../../api/use-api.ts';
import { Failure, Waiting } from '../../parts/answered.tsx';
import { Confirmed } from '../../parts/confirmed.tsx';
import { endpointFacts } from '../../parts/endpoint.tsx';
import { Card } from '../../parts/page.tsx';
import { Facts } from '../../parts/rows.tsx';
import { SecretAges } from '../../parts/time.tsx';
import { useSession } from '../../session/session.tsx';

interface Props {
  readonly endpoint: Answer<'GET /callbacks/endpoint'>;
  readonly onEdit: () => void;
  readonly onSecret: (secret: string | null) => void;
}

export function EndpointCard({ endpoint, onEdit, onSecret }: Props) {
  const { basicLogin, timeoutSeconds, log, secrets } = endpoint;
  return (
    <Card title="Endpoint">
      <Facts
        facts={{
          ...endpointFacts(endpoint),
          'Signing secrets': <SecretAges secrets={secrets} />,
          'HTTP Basic': basicLogin ? `with the login ${basicLogin}` : 'not sent',
          Timeout: `${timeoutSeconds} s`,
          Log: log === 'all' ? 'also what was delivered at once, for 3 days' : 'failures only',
        }}
      />
      {useSession().may() && (
        <Group mt="md" gap="xs">
          <Button size="xs" onClick={onEdit}>
            Edit
          </Button>
          <Actions endpoint={endpoint} onSecret={onSecret} />
        </Group>
      )}
    </Card>
  );
}

const common = { input: {}, changes: ['GET /callbacks/endpoint', 'GET /callbacks'] } as const;

function Actions({ endpoint: { status, secrets }, onSecret }: Pick<Props, 'endpoint' | 'onSecret'>) {
  const disable = { ...common, route: 'POST /callbacks/endpoint/disable', name: 'Disable' } as const;
  const enable = { ...common, route: 'POST /callbacks/endpoint/enable', name: 'Enable' } as const;
  const rotate = { ...common, route: 'POST /callbacks/endpoint/rotate', name: 'Rotate the secret' } as const;
  const retire = {
    ...common,
    route: 'POST /callbacks/endpoint/retire',
    name: 'Retire the older secret',
  } as const;
  return (
    <>
      {status === 'ENABLED' ? (
        <Confirmed {...disable} title="Disable the endpoint?">
          Nothing is sent to it until you enable it. Its callbacks are kept as skipped for 30 days and can be
          replayed.
        </Confirmed>
      ) : (
        <Confirmed {...enable} title="Enable the endpoint?">
          Callbacks are sent again, those that wait for a retry first. Skipped ones are sent when you replay
          them.
        </Confirmed>
      )}
      {secrets.length < 2 ? (
        <Confirmed {...rotate} title="Add a second signing secret?" onDone={({ secret }) => onSecret(secret)}>
          Callbacks are signed with both until you retire the older one, so that no signature fails meanwhile.
        </Confirmed>
      ) : (
        <Confirmed {...retire} title="Retire the older signing secret?">
          Callbacks are signed with the newer one alone: your endpoint must know it.
        </Confirmed>
      )}
    </>
  );
}

export function TestCard() {
  const [state, setState] = useState<'DELIVERED' | 'OPENED'>('DELIVERED');
  const { mutate, data, error, isPending } = useSend('POST /callbacks/test');
  return (
    <Card title="Test">
      <Text mb="sm">
        One signed callback, sent now and not repeated. It works while the endpoint is disabled, too.
      </Text>
      <Group mb="sm">
        <SegmentedControl
          aria-label="State"
          data={['DELIVERED', 'OPENED']}
          value={state}
          onChange={setState}
        />
        <Button loading={isPending} onClick={() => mutate({ body: { state } })}>
          Send a test
        </Button>
      </Group>
      {isPending ? <Waiting what="Waiting for your endpoint" /> : data && <Outcome {...data} />}
      <Failure error={error} title="The test was not sent" />
    </Card>
  );
}

function Outcome({
  delivered,
  httpStatus,
  error,
  response,
  durationMs,
  request,
}: Answer<'POST /callbacks/test'>) {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const [color, outcome] = delivered ? ['green', 'delivered'] : ['red', 'failed'];
  return (
    <Stack gap="xs" role="status">
      <Facts
        facts={{
          Outcome: <Badge color={color}>{outcome}</Badge>,
          Answer: [httpStatus && `HTTP ${httpStatus}`, error].filter(Boolean).join(', '),
          Response: response,
          Duration: `${Math.round(durationMs)} ms`,
        }}
      />
      <Text>What was sent:</Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {[...headers, '', request.body].join('\n')}
      </Code>
    </Stack>
  );
}
