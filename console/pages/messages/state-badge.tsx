import { Badge } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';

type State = Answer<'GET /push/{messageId}/transactional-state'>['states'][number]['state'];

const colors: Readonly<Record<State, string>> = {
  MSISDN_NOT_REGISTERED: 'red',
  ENQUEUED: 'blue',
  DELIVERED: 'teal',
  OPENED: 'green',
};

export function StateBadge({ state }: { readonly state: State }) {
  return <Badge color={colors[state]}>{state}</Badge>;
}
