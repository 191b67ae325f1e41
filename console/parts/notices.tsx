import { Text } from '@mantine/core';
import type { Answer } from '../api/operations.ts';
import { Card } from './card.tsx';
import { Rows } from './rows.tsx';
import { Time } from './time.tsx';

interface Props extends Pick<Answer<'GET /callbacks/endpoint'>, 'notices'> {
  /** The API answers 50. */
  readonly most?: number;
}

/** What happened to the endpoint, newest first. */
export function Notices({ notices, most = 50 }: Props) {
  const rows = notices.slice(0, most).map(({ time, what, by }) => ({
    key: `${time} ${what}`,
    cells: [<Time key="time" at={time} />, what, by ?? 'the service'],
  }));
  return (
    <Card title="Notices">
      {notices.length === 0 ? (
        <Text size="sm">Nothing happened to the endpoint: changes and interruptions are listed here.</Text>
      ) : (
        <Rows label="Notices" columns={['Time', 'What happened', 'Key']} rows={rows} />
      )}
    </Card>
  );
}
