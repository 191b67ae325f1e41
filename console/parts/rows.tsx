import { Box, Divider, Stack } from '@mantine/core';
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

// Mantine's Table brings its ScrollArea and the positions of menus: 18 kB of the first view.
const tableStyle = { borderCollapse: 'collapse', overflowWrap: 'anywhere' } as const;
const cellStyle = {
  padding: '8px 10px',
  textAlign: 'left',
  borderBottom: '1px solid var(--mantine-color-default-border)',
} as const;

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
    <Box component="table" aria-label={label} w="100%" fz="sm" style={tableStyle}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} style={{ ...cellStyle, whiteSpace: 'nowrap' }}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells, detail }) => (
          <Fragment key={key}>
            <tr>
              {cells.map((cell, index) => (
                <td key={columns[index]} style={cellStyle}>
                  {cell}
                </td>
              ))}
            </tr>
            {detail && (
              <tr>
                <td colSpan={columns.length} style={cellStyle}>
                  {detail}
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </Box>
  );
}
