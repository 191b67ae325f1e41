import { Alert, List as Lines, Text } from '@mantine/core';
import { count } from '../../parts/count.ts';
import type { Session } from './points.ts';
import { errorInFile, type List } from './read-list.ts';

const titles: Readonly<Record<string, string>> = {
  COORDINATES_ZERO: 'Service points whose coordinates nobody set',
  COORDINATES_SWAPPED: 'Service points whose latitude and longitude look swapped',
  COORDINATES_SHARED: 'Service points with different addresses at the same coordinates',
  PLACE_DUPLICATE: 'Service points with the same name, type and address',
  ADDRESS_SHORT: 'Service points whose address is very short',
  ITEM_ID_NOT_IN_PATH: 'Service points whose itemId cannot be a part of a path',
  MEMBER_UNKNOWN: 'Service points with members that the service does not know and ignores',
};

type Props = { session: Session; rowOf: List['rowOf'] };

/** What the service accepted although it looks wrong, by its kind. */
export function SessionRemarks({ session: { remarks }, rowOf }: Props) {
  if (remarks.length === 0) return null;
  const all = remarks.reduce((sum, remark) => sum + remark.count, 0);
  const shown = remarks.reduce((sum, { samples }) => sum + samples.length, 0);
  return (
    <>
      {remarks.map(({ code, count: points, samples }) => (
        <Alert key={code} color="yellow" mt="xs" title={`${titles[code] ?? code}: ${count(points)}`}>
          <Lines size="sm" aria-label={`Remarks ${code}`}>
            {samples.map(({ itemId = '', description }) => {
              const sample = errorInFile({ place: { itemId }, description }, rowOf);
              return (
                <Lines.Item key={description} style={{ overflowWrap: 'anywhere' }}>
                  {sample.row}
                  {itemId && ' '}
                  {itemId}: {sample.description}
                </Lines.Item>
              );
            })}
          </Lines>
        </Alert>
      ))}
      {shown < all && (
        <Text mt="xs">
          The service names {count(shown)} of these {count(all)} points.
        </Text>
      )}
    </>
  );
}
