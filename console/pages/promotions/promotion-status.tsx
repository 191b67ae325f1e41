import { Badge } from '@mantine/core';
import type { Promotion } from './promotion-change.ts';

const colors = { planned: 'blue', active: 'green', completed: 'gray' } as const;

export function PromotionStatus({ status }: Pick<Promotion, 'status'>) {
  return <Badge color={colors[status]}>{status}</Badge>;
}
