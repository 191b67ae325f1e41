import { Anchor } from '@mantine/core';

/** Shows a point on the map, or in the table if it has no coordinates; `undefined` for one that the page does not have. */
export type Show = (itemId: string) => (() => void) | undefined;

type Props = { itemId: string; name: string; show: Show };

export function PointLink({ itemId, name, show }: Props) {
  const onClick = show(itemId);
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
