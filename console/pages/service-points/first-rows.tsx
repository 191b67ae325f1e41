import { Alert } from '@mantine/core';
import { count } from '../../parts/count.ts';
import { Section } from '../../parts/page.tsx';
import { Rows } from '../../parts/rows.tsx';
import { csvColumns, type List } from './read-list.ts';

const shown = 5;

type Info = Readonly<Record<string, unknown>>;

/** Shows the first rows read from a file, before the service has checked them. */
export function FirstRows({ places, rowOf, unknownColumns = [] }: List) {
  const first = places.slice(0, shown).map((place, index) => {
    const { itemId, placeInfo } = (place ?? {}) as { itemId?: unknown; placeInfo?: Info };
    const { name, address, type, schedule, phones, metroStations, geoPoint } = placeInfo ?? {};
    return {
      row: rowOf(index),
      itemId,
      name,
      address,
      others: [type, schedule, phones, metroStations, geoPoint],
    };
  });
  return (
    <Section title={`The first ${count(first.length)} of ${count(places.length)}, as they will be stored`}>
      {unknownColumns.length > 0 && (
        <Alert color="yellow" mb="sm" role="alert">
          These columns are unknown and are not read: {unknownColumns.join(', ')}. The known ones are{' '}
          {csvColumns.join(', ')}.
        </Alert>
      )}
      <Rows
        label="First service points"
        items={first}
        idOf={({ row }) => row}
        columns={{
          'In the file': ({ row }) => row,
          itemId: ({ itemId }) => textOf(itemId),
          Name: ({ name }) => textOf(name),
          Address: ({ address }) => textOf(address),
          Others: ({ others }) => textOf(others),
        }}
      />
    </Section>
  );
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(textOf).join(' ');
  return value === undefined || value === null ? '' : String(value);
}
