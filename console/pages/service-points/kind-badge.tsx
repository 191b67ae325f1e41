import { Badge } from '@mantine/core';
import { type Kind, kinds } from './points.ts';

export function KindBadge({ kind, text }: { kind: Kind; text: string }) {
  const { sign, color } = kinds[kind];
  return (
    <Badge color={color} tt="none" miw="max-content">
      <span aria-hidden>{sign} </span>
      {text}
    </Badge>
  );
}
