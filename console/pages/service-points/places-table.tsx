import { Group, Paper, Table, Text, TextInput } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Place } from '../../api/use-places.ts';
import { Paged } from '../../parts/paged.tsx';

const rowsShown = 25;

interface Props {
  readonly places: readonly Place[];
  readonly isComplete: boolean;
}

export function PlacesTable({ places, isComplete }: Props) {
  const [search, setSearch] = useState('');
  // Typing stays quick: the table follows.
  const deferred = useDeferredValue(search);
  const found = useMemo(() => matching(places, deferred), [places, deferred]);
  return (
    <Paper component="section" withBorder p="md" aria-label="Service points">
      <Group justify="space-between" align="end" mb="sm">
        <TextInput
          label="Search"
          placeholder="Name, address, metro station or itemId"
          w={{ base: '100%', sm: 360 }}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Text role="status">
          {found.length.toLocaleString('en-GB')} of {places.length.toLocaleString('en-GB')}
          {!isComplete && ', reading more …'}
        </Text>
      </Group>
      <Paged items={found} pageSize={rowsShown}>
        {(shown) => (
          <Table.ScrollContainer minWidth={640}>
            <Table striped>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>itemId</Table.Th>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Address</Table.Th>
                  <Table.Th>Type</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map(({ itemId, placeInfo }) => (
                  <Table.Tr key={itemId}>
                    <Table.Td>{itemId}</Table.Td>
                    <Table.Td>{placeInfo.name}</Table.Td>
                    <Table.Td>{placeInfo.address}</Table.Td>
                    <Table.Td>{placeInfo.type}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Paged>
      {found.length === 0 && <Text>Nothing has all of these words: search for less.</Text>}
    </Paper>
  );
}

/** The places that have every word of the search somewhere. */
function matching(places: readonly Place[], search: string): readonly Place[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return places;
  return places.filter(({ itemId, placeInfo }) => {
    const { name = '', address, type = '', metroStations = [] } = placeInfo;
    const text = [itemId, name, address, type, ...metroStations].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
