import { SimpleGrid } from '@mantine/core';
import { Columns } from '../../parts/columns.tsx';
import { localTime, zoneAt } from '../../parts/figures.tsx';
import { hoursOf, type Report } from '../../parts/funnel.ts';

const pictures = { delivered: 'Delivered by hour', opened: 'Opened by hour' };

/** How many messages of a send were delivered and opened in each hour since it was handed over. */
export function Hours({ report }: { report: Report }) {
  const hours = hoursOf(report);
  const shown = (['delivered', 'opened'] as const).filter((state) => hours.some((hour) => hour[state] > 0));
  const [first] = hours;
  if (!first) return null;
  return (
    <SimpleGrid w="100%" cols={{ base: 1, sm: 2 }}>
      {shown.map((state) => (
        <Columns
          key={state}
          label={`${pictures[state]}, ${zoneAt(first.at)}`}
          columns={hours.map(({ at, [state]: value }, n) => ({
            name: localTime(at),
            value,
            tick: n % (hours.length / 3) === 0 ? at.toLocaleString('en-GB', tickTime) : undefined,
          }))}
        />
      ))}
    </SimpleGrid>
  );
}

const tickTime = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
