import { Table, Text } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { Card } from '../../parts/card.tsx';
import { Time } from '../../parts/time.tsx';

const shown = 10;

/** What happened to the endpoint, newest first. */
export function Notices({ notices }: Pick<Answer<'GET /callbacks/endpoint'>, 'notices'>) {
  return (
    <Card title="Notices">
      {notices.length === 0 ? (
        <Text size="sm">Nothing happened to the endpoint: changes and interruptions are listed here.</Text>
      ) : (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Time</Table.Th>
              <Table.Th>What happened</Table.Th>
              <Table.Th>Key</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {notices.slice(0, shown).map(({ time, what, by }) => (
              <Table.Tr key={`${time} ${what}`}>
                <Table.Td>
                  <Time at={time} />
                </Table.Td>
                <Table.Td>{what}</Table.Td>
                <Table.Td>{by ?? 'the service'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  );
}
