import type { ResponseTo } from '../../api/operations.ts';
import { Card } from '../../parts/page.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Time } from '../../parts/time.tsx';

export function Notices({ notices }: Pick<ResponseTo<'GET /callbacks/endpoint'>, 'notices'>) {
  return (
    <Card title="Notices">
      <Paged items={notices} pageSize={10}>
        {(shown) => (
          <Rows
            label="Notices"
            items={shown}
            idOf={({ time, what }) => `${time} ${what}`}
            columns={{
              Time: ({ time }) => <Time at={time} />,
              'What happened': ({ what }) => what,
              'Changed by': ({ by }) => by ?? 'the service',
            }}
            empty="Nothing has happened to the endpoint yet. Changes and interruptions are listed here."
          />
        )}
      </Paged>
    </Card>
  );
}
