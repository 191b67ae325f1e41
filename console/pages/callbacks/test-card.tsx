import { Badge, Button, Code, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../api/operations.ts';
import { useSend } from '../../api/use-api.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Waiting } from '../../parts/waiting.tsx';

export function TestCard() {
  const [state, setState] = useState<'DELIVERED' | 'OPENED'>('DELIVERED');
  const { mutate, data, error, isPending } = useSend('POST /callbacks/test');
  return (
    <Card title="Test">
      <Text size="sm" mb="sm">
        One signed callback, sent now and not repeated. It works while the endpoint is disabled, too.
      </Text>
      <Group mb="sm">
        <SegmentedControl
          aria-label="State"
          data={['DELIVERED', 'OPENED']}
          value={state}
          onChange={(chosen) => setState(chosen as typeof state)}
        />
        <Button loading={isPending} onClick={() => mutate({ body: { state } })}>
          Send a test
        </Button>
      </Group>
      {isPending ? <Waiting what="Waiting for your endpoint" /> : data && <Outcome of={data} />}
      <Failure error={error} title="The test was not sent" />
    </Card>
  );
}

function Outcome({
  of: { delivered, httpStatus, error, durationMs, request },
}: {
  of: Answer<'POST /callbacks/test'>;
}) {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Stack gap="xs" role="status">
      <Facts
        facts={[
          [
            'Outcome',
            <Badge key="outcome" color={delivered ? 'green' : 'red'}>
              {delivered ? 'delivered' : 'failed'}
            </Badge>,
          ],
          ['Answer', [httpStatus && `HTTP ${httpStatus}`, error].filter(Boolean).join(', ')],
          ['Duration', `${Math.round(durationMs)} ms`],
        ]}
      />
      <Text size="sm">What was sent:</Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {[...headers, '', request.body].join('\n')}
      </Code>
    </Stack>
  );
}
