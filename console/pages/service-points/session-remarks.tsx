import { Alert, List as Lines, Text } from '@mantine/core';
import { count } from '../../parts/count.ts';
import type { Session } from './points.ts';
import { errorInFile, type List } from './read-list.ts';

type Props = { session: Session; rowOf: List['rowOf'] };

/** What the service accepted although it looks wrong, by its kind. */
export function SessionRemarks({ session: { remarks }, rowOf }: Props) {
  if (remarks.length === 0) return null;
  const all = remarks.reduce((sum, remark) => sum + remark.count, 0);
  const shown = remarks.reduce((sum, { samples }) => sum + samples.length, 0);
  return (
    <>
      {remarks.map(({ code, count: points, samples }) => (
        <Alert key={code} color="yellow" mt="xs" title={`${code}: ${count(points, 'service point')}`}>
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
