import { Badge, Group, Stack, Text } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { SecretAges } from '../../parts/age.tsx';
import { Rows } from '../../parts/rows.tsx';
import { useSession } from '../../session/session.tsx';
import { KeyActions, type NewSecret } from './key-actions.tsx';

type Key = Answer<'GET /keys'>['keys'][number];

interface Props {
  readonly keys: readonly Key[];
  readonly mayChange: boolean;
  readonly onSecret: (made: NewSecret) => void;
  readonly onEnded: (sentence: string) => void;
}

export function KeyList({ keys, mayChange, onSecret, onEnded }: Props) {
  const own = useSession().key.login;
  const rows = keys.map((key) => ({
    key: key.login,
    cells: [
      <Name key="name" of={key} isOwn={key.login === own} />,
      key.role,
      <Limits key="limits" of={key} />,
      <SecretAges key="secrets" secrets={key.secrets} />,
      ...(mayChange
        ? [
            <KeyActions
              key="actions"
              of={key}
              isOwn={key.login === own}
              onSecret={onSecret}
              onEnded={onEnded}
            />,
          ]
        : []),
    ],
  }));
  const columns = ['Key', 'Role', 'Limited to', 'Secrets', ...(mayChange ? ['Actions'] : [])];
  return <Rows label="Keys" columns={columns} rows={rows} />;
}

function Name({ of: { label, login }, isOwn }: { readonly of: Key; readonly isOwn: boolean }) {
  return (
    <>
      <Group gap="xs">
        <Text fw={600} size="sm">
          {label ?? login}
        </Text>
        {isOwn && <Badge color="blue">Yours</Badge>}
      </Group>
      {label && (
        <Text size="sm" c="dimmed">
          {login}
        </Text>
      )}
    </>
  );
}

/** So many service points are named; the others are counted. */
const namedPlaces = 5;

function Limits({ of: { offerIds, placeIds = [] } }: { readonly of: Key }) {
  const more = placeIds.length - namedPlaces;
  return (
    <Stack gap={2}>
      {!offerIds && placeIds.length === 0 && 'nothing'}
      {offerIds && <span>Offers: {offerIds.join(', ')}</span>}
      {placeIds.length > 0 && (
        <span title={placeIds.join(', ')}>
          Service points: {placeIds.slice(0, namedPlaces).join(', ')}
          {more > 0 && ` and ${more} more`}
        </span>
      )}
    </Stack>
  );
}
