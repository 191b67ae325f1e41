import { Divider, Stack, Table } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Fragment, type ReactNode } from 'react';
import { Facts } from './facts.tsx';

export interface Row {
  readonly key: string;
  /** One for each column; the first says what the row is. */
  readonly cells: readonly ReactNode[];
  /** Shown below the cells. */
  readonly detail?: ReactNode;
}

interface Props {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** A table, or where the window is narrow, each row as a list of names and values. */
export function Rows({ label, columns, rows }: Props) {
  const isNarrow = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false });
  if (isNarrow) {
    return (
      <Stack component="ul" aria-label={label} gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {rows.map(({ key, cells, detail }, row) => (
          <li key={key}>
            {row > 0 && <Divider mb="sm" />}
            <Facts facts={columns.map((column, index) => [column, cells[index]] as const)} />
            {detail}
          </li>
        ))}
      </Stack>
    );
  }
  return (
    <Table aria-label={label} verticalSpacing="xs" style={{ overflowWrap: 'anywhere' }}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column} style={{ whiteSpace: 'nowrap' }}>
              {column}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, cells, detail }) => (
          <Fragment key={key}>
            <Table.Tr>
              {cells.map((cell, index) => (
                <Table.Td key={columns[index]}>{cell}</Table.Td>
              ))}
            </Table.Tr>
            {detail && (
              <Table.Tr>
                <Table.Td colSpan={columns.length}>{detail}</Table.Td>
              </Table.Tr>
            )}
          </Fragment>
        ))}
      </Table.Tbody>
    </Table>
  );
}
