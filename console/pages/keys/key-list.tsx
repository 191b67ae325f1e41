import { Badge, Group, Stack, Text } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { Confirmed } from '../../parts/confirmed.tsx';
import { Rows } from '../../parts/rows.tsx';
import { SecretAges } from '../../parts/time.tsx';
import { useSession } from '../../session/session.tsx';
import { endedSentence } from './sentences.ts';

type Key = Answer<'GET /keys'>['keys'][number];

export function KeyList({ keys, ...results }: { keys: readonly Key[] } & Results) {
  const { key: own, may } = useSession();
  const isOwn = ({ login }: Key) => login === own.login;
  const actions = (key: Key) => <KeyActions of={key} isOwn={isOwn(key)} {...results} />;
  return (
    <Rows
      label="Keys"
      items={keys}
      idOf={({ login }) => login}
      columns={{
        Key: (key) => <Name of={key} isOwn={isOwn(key)} />,
        Role: ({ role }) => role,
        'Limited to': (key) => <Limits of={key} />,
        Secrets: ({ secrets }) => <SecretAges secrets={secrets} />,
        ...(may() && { Actions: actions }),
      }}
    />
  );
}

function Name({ of: { label, login }, isOwn }: { of: Key; isOwn: boolean }) {
  return (
    <>
      <Group gap="xs">
        <Text fw={600}>{label ?? login}</Text>
        {isOwn && <Badge color="blue">Yours</Badge>}
      </Group>
      {label && <Text c="dimmed">{login}</Text>}
    </>
  );
}

const namedPlaces = 5;

function Limits({ of: { offerIds, placeIds = [] } }: { of: Key }) {
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

export type NewSecret = { login: string; secret: string | null; next: string };

type Results = { onSecret: (made: NewSecret) => void; onEnded: (sentence: string) => void };
type ActionsProps = { of: Key; isOwn: boolean } & Results;

const next = 'The old secret works too, until you retire it: store this one wherever the key is used first.';

function KeyActions({ of: { login, label, secrets }, isOwn, onSecret, onEnded }: ActionsProps) {
  const name = label ? `${label} (${login})` : login;
  const common = { on: name, input: { path: { login } }, changes: ['GET /keys'] } as const;
  const ended = (what: string) => (answer: { effectiveWithinSeconds: number }) =>
    onEnded(endedSentence(what, answer.effectiveWithinSeconds));
  const warning = isOwn && (
    <Text fw={600} mt="xs">
      You are signed in with this key.
    </Text>
  );
  return (
    <Group gap="xs" wrap="nowrap">
      {secrets.length < 2 ? (
        <Confirmed
          {...common}
          route="POST /keys/{login}/rotate"
          name="Rotate"
          title={`Give ${name} a new secret?`}
          onDone={({ secret }) => onSecret({ login, secret, next })}
        >
          The key gets a second secret. Both work until you retire the older one.
        </Confirmed>
      ) : (
        <Confirmed
          {...common}
          route="POST /keys/{login}/retire"
          name="Retire"
          title={`Retire the older secret of ${name}?`}
          onDone={ended(`The older secret of ${name} has ended.`)}
        >
          Whatever still signs in with the older secret is refused from then on.
          {warning}
        </Confirmed>
      )}
      <Confirmed
        {...common}
        route="DELETE /keys/{login}"
        name="Revoke"
        color="red"
        title={`Revoke ${name}?`}
        onDone={ended(`${name} is revoked.`)}
      >
        Whatever uses the key is refused from then on, for ever. The gateway may let it in for some minutes
        more: the answer says how many.
        {warning}
      </Confirmed>
    </Group>
  );
}
