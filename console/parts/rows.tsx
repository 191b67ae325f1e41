import { Box, Divider, Stack, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Fragment, type ReactNode } from 'react';

type Props<Item> = {
  label: string;
  items: readonly Item[];
  idOf: (item: Item) => string;
  /** The name of each column, and the cell that it has for an item. The first column identifies the row. */
  columns: Readonly<Record<string, (item: Item) => ReactNode>>;
  detail?: (item: Item) => ReactNode;
  empty?: ReactNode;
};

/** A table. In a narrow window each row becomes a list of names and values. */
export function Rows<Item>({ label, items, idOf, columns, detail, empty }: Props<Item>) {
  const isNarrow = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false });
  const cells = Object.entries(columns);
  if (items.length === 0 && empty) return <Text component="div">{empty}</Text>;
  if (isNarrow) {
    return (
      <Stack component="ul" aria-label={label} gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {items.map((item, row) => (
          <li key={idOf(item)}>
            {row > 0 && <Divider mb="sm" />}
            <Facts facts={Object.fromEntries(cells.map(([name, cell]) => [name, cell(item)]))} />
            {detail?.(item)}
          </li>
        ))}
      </Stack>
    );
  }
  return (
    <Table aria-label={label} style={{ overflowWrap: 'anywhere' }}>
      <Table.Thead style={{ whiteSpace: 'nowrap' }}>
        <Table.Tr>
          {cells.map(([name]) => (
            <Table.Th key={name}>{name}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((item) => (
          <Fragment key={idOf(item)}>
            <Table.Tr>
              {cells.map(([name, cell]) => (
                <Table.Td key={name}>{cell(item)}</Table.Td>
              ))}
            </Table.Tr>
            {detail?.(item) && (
              <Table.Tr>
                <Table.Td colSpan={cells.length}>{detail(item)}</Table.Td>
              </Table.Tr>
            )}
          </Fragment>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const columns = { display: 'grid', gridTemplateColumns: 'minmax(7rem, auto) 1fr', gap: '6px 16px' };

export function Facts({ facts }: { facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <Box component="dl" m={0} style={columns}>
      {Object.entries(facts).map(
        ([name, value]) =>
          value !== undefined && (
            <Fragment key={name}>
              <Text component="dt" c="dimmed">
                {name}
              </Text>
              <Text component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Text>
            </Fragment>
          ),
      )}
    </Box>
  );
}
