import { Alert, Badge, Button, Group, List as Lines, Text } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { Place } from '../../api/use-places.ts';
import { count } from '../../parts/figures.tsx';
import { Section } from '../../parts/page.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Rows } from '../../parts/rows.tsx';
import { saveCsv } from '../../parts/save-file.ts';
import { errorInFile, remarksAsCsv } from './in-file.ts';
import { type Change, changesOf, type Point, pointFinder, remarkedIn, type Session } from './points.ts';
import { PointLink, PointsMap } from './points-map.tsx';
import type { List } from './read-list.ts';

type Props = {
  session: Session;
  rowOf: List['rowOf'];
  /** The stored service points. */
  places: readonly Place[];
  /** The list of the session, if it was read from a file here. */
  list?: List | undefined;
};

/** The points that a list changes, and those that look wrong in it, in words and on a map. */
export function Effects({ session, rowOf, places, list }: Props) {
  const find = useMemo(() => pointFinder(places, list), [places, list]);
  const changes = useMemo(() => changesOf(session, find), [session, find]);
  const points = useMemo(() => [...changes, ...remarkedIn(session, find)], [session, changes, find]);
  const [asked, ask] = useState<Point>();
  /** A text that leads to its point on the map. */
  const link = (point: Point, text: string) => <PointLink point={point} text={text} onAsk={ask} />;
  return (
    <>
      {points.some(({ position }) => position) && (
        <PointsMap of="service points that are named below" points={points} asked={asked} />
      )}
      {changes.length > 0 && <Changes session={session} changes={changes} link={link} />}
      <Remarks session={session} rowOf={rowOf} link={(itemId) => link(find(itemId), itemId)} />
    </>
  );
}

type ChangesProps = {
  session: Session;
  changes: readonly Change[];
  link: (point: Point, text: string) => ReactNode;
};

function Changes({ session: { counts, dryRun }, changes, link }: ChangesProps) {
  const all = counts.added + counts.updated + counts.removed + (counts.removalsHeld ?? 0);
  return (
    <Section title={dryRun ? 'What would change' : 'What changed'}>
      <Paged items={changes} pageSize={10}>
        {(shown) => (
          <Rows
            label="Changes"
            items={shown}
            idOf={({ mark, itemId }) => `${mark.word} ${itemId}`}
            columns={{
              Change: ({ mark: { sign, color, word } }) => (
                <Badge color={color}>
                  <span aria-hidden>{sign} </span>
                  {word}
                </Badge>
              ),
              'Service point': (change) => link(change, change.name),
              Members: ({ members }) => members.join(', '),
            }}
          />
        )}
      </Paged>
      {changes.length < all && (
        <Text c="dimmed" mt="xs">
          These are {count(changes.length)} of {count(all)}: of each kind the first 100 are named.
        </Text>
      )}
    </Section>
  );
}

type RemarksProps = Pick<Props, 'session' | 'rowOf'> & { link: (itemId: string) => ReactNode };

/** The remarks of the session, by their kind: the service accepted the points, although they look wrong. */
function Remarks({ session: { remarks }, rowOf, link }: RemarksProps) {
  const all = remarks.reduce((sum, remark) => sum + remark.count, 0);
  const shown = remarks.reduce((sum, { samples }) => sum + samples.length, 0);
  if (all === 0) return null;
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
                  {itemId && link(itemId)}: {sample.description}
                </Lines.Item>
              );
            })}
          </Lines>
        </Alert>
      ))}
      <Group mt="xs">
        <Button
          size="xs"
          variant="default"
          onClick={() => saveCsv('remarks.csv', remarksAsCsv(remarks, rowOf))}
        >
          Save the remarks as CSV
        </Button>
        {shown < all && (
          <Text>
            The service names {count(shown)} of these {count(all)} points.
          </Text>
        )}
      </Group>
    </>
  );
}
