import { Anchor } from '@mantine/core';
import { createContext, use } from 'react';
import type { Point } from './points.ts';

type Points = {
  find: (itemId: string) => Point | undefined;
  /** Shows a point on the map, or in the table if it has no coordinates; `undefined` for one that the page does not have. */
  show: (itemId: string) => (() => void) | undefined;
};

export const PointsContext = createContext<Points>({ find: () => undefined, show: () => undefined });

export function PointLink({ itemId, name }: { itemId: string; name: string }) {
  const onClick = use(PointsContext).show(itemId);
  if (!onClick) return name;
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="left"
      c="inherit"
      underline="always"
      title="Show this service point"
      onClick={onClick}
    >
      {name}
    </Anchor>
  );
}
