import { Progress } from '@mantine/core';

type Props = { share: number; color?: 'gray.6' | 'blue' | 'orange' };

/** The picture of a number that stands beside it; `share` is in percent. What is more than nothing can be seen. */
export function Bar({ share, color = 'blue' }: Props) {
  return (
    <Progress.Root aria-hidden size={12} radius={3}>
      <Progress.Section withAria={false} value={share} miw={share > 0 ? 3 : 0} color={color} />
    </Progress.Root>
  );
}
