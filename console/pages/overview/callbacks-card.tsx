import { Text } from '@mantine/core';
import { Answered } from '../../parts/answered.tsx';
import { Card } from '../../parts/card.tsx';
import { endpointFacts } from '../../parts/endpoint-facts.tsx';
import { Facts } from '../../parts/facts.tsx';
import type { EndpointQuery } from './queries.ts';

export function CallbacksCard({ endpoint }: { readonly endpoint: EndpointQuery }) {
  const notSet = <Text size="sm">No endpoint is set, so states of messages are not called back.</Text>;
  return (
    <Card title="Callbacks" more={{ name: 'Callbacks', path: '/callbacks' }}>
      <Answered query={endpoint} instead={{ ENDPOINT_NOT_SET: notSet }}>
        {(data) => <Facts facts={endpointFacts(data)} />}
      </Answered>
    </Card>
  );
}
