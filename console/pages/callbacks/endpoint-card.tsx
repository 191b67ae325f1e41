import { Button, Group } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { SecretAges } from '../../parts/age.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirmed } from '../../parts/confirmed.tsx';
import { endpointFacts } from '../../parts/endpoint-facts.tsx';
import { Facts } from '../../parts/facts.tsx';

interface Props {
  readonly endpoint: Answer<'GET /callbacks/endpoint'>;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
  readonly onSecret: (secret: string | null) => void;
}

export function EndpointCard({ endpoint, mayChange, onEdit, onSecret }: Props) {
  const { basicLogin, timeoutSeconds, log, secrets } = endpoint;
  return (
    <Card title="Endpoint">
      <Facts
        facts={[
          ...endpointFacts(endpoint),
          ['Signing secrets', <SecretAges key="secrets" secrets={secrets} />],
          ['HTTP Basic', basicLogin ? `with the login ${basicLogin}` : 'not sent'],
          ['Timeout', `${timeoutSeconds} s`],
          ['Log', log === 'all' ? 'also what was delivered at once, for 3 days' : 'failures only'],
        ]}
      />
      {mayChange && (
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
  return (
    <>
      {status === 'ENABLED' ? (
        <Confirmed
          {...common}
          route="POST /callbacks/endpoint/disable"
          name="Disable"
          title="Disable the endpoint?"
        >
          Nothing is sent to it until you enable it. Its callbacks are kept as skipped for 30 days and can be
          replayed.
        </Confirmed>
      ) : (
        <Confirmed
          {...common}
          route="POST /callbacks/endpoint/enable"
          name="Enable"
          title="Enable the endpoint?"
        >
          Callbacks are sent again, those that wait for a retry first. Skipped ones are sent when you replay
          them.
        </Confirmed>
      )}
      {secrets.length < 2 ? (
        <Confirmed
          {...common}
          route="POST /callbacks/endpoint/rotate"
          name="Rotate the secret"
          title="Add a second signing secret?"
          onDone={({ secret }) => onSecret(secret)}
        >
          Callbacks are signed with both until you retire the older one, so that no signature fails meanwhile.
        </Confirmed>
      ) : (
        <Confirmed
          {...common}
          route="POST /callbacks/endpoint/retire"
          name="Retire the older secret"
          title="Retire the older signing secret?"
        >
          Callbacks are signed with the newer one alone: your endpoint must know it.
        </Confirmed>
      )}
    </>
  );
}
