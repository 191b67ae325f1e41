import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ResponseTo } from '../../api/operations.ts';
import { seldom, useApi } from '../../api/use-api.ts';
import { Confirmed } from '../../parts/confirmed.tsx';
import { Dialog, useNewSecret, useOwnDialog } from '../../parts/dialog.tsx';
import { count, SecretDates } from '../../parts/figures.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { WithResponse } from '../../parts/response.tsx';
import { Facts, Rows } from '../../parts/rows.tsx';
import { useSession } from '../../session/session.tsx';
import { KeyForm, roles } from './key-form.tsx';

export default function Keys() {
  const mayChange = useSession().may();
  const keys = useApi('GET /keys', {}, seldom);
  const [isCreating, { open, close }] = useOwnDialog();
  const [ended, setEnded] = useState<string>();
  const closable = { withCloseButton: true, closeButtonLabel: 'Close', onClose: () => setEnded(undefined) };
  return (
    <Page title="Keys" actions={mayChange && <Button onClick={open}>Create a key</Button>}>
      {ended && (
        <Alert role="status" color="blue" {...closable}>
          {ended}
        </Alert>
      )}
      <Card title="Keys of your account">
        <WithResponse query={keys}>{(data) => <KeyList keys={data.keys} onEnded={setEnded} />}</WithResponse>
      </Card>
      <Card title="What a role may do">
        <Facts facts={roles} />
      </Card>
      {/* The dialog drops its content when it closes, so the form is empty each time it opens. */}
      <Dialog opened={isCreating} onClose={close} title="Create a key" size="lg">
        <KeyForm onClose={close} />
      </Dialog>
    </Page>
  );
}

type Key = ResponseTo<'GET /keys'>['keys'][number];

function KeyList({ keys, onEnded }: { keys: readonly Key[] } & OnEnded) {
  const { key: own, may } = useSession();
  const isOwn = ({ login }: Key) => login === own.login;
  const actions = (key: Key) => <KeyActions of={key} isOwn={isOwn(key)} onEnded={onEnded} />;
  return (
    <Rows
      label="Keys"
      items={keys}
      idOf={({ login }) => login}
      columns={{
        Label: (key) => (
          <>
            <Text span fw={600}>
              {key.label ?? 'No label'}
            </Text>{' '}
            {isOwn(key) && <Badge color="blue">Yours</Badge>}
          </>
        ),
        Login: ({ login }) => login,
        Role: ({ role }) => <Text miw="max-content">{role}</Text>,
        'Limited to': (key) => <Limits of={key} />,
        'Secrets made': ({ secrets }) => <SecretDates secrets={secrets} />,
        ...(may() && { Actions: actions }),
      }}
    />
  );
}

const namedPlaces = 5;

function Limits({ of: { role, offerIds, placeIds } }: { of: Key }) {
  const more = (placeIds?.length ?? 0) - namedPlaces;
  return (
    <Stack gap={2}>
      <span>{offerIds ? `Offers: ${offerIds.join(', ')}` : 'all offers'}</span>
      {placeIds && (
        <span title={placeIds.join(', ')}>
          Service points: {placeIds.slice(0, namedPlaces).join(', ')}
          {more > 0 && ` and ${count(more)} more`}
        </span>
      )}
      {role === 'cash-desk' && !placeIds && 'all service points'}
    </Stack>
  );
}

type OnEnded = { onEnded: (sentence: string) => void };
type ActionsProps = { of: Key; isOwn: boolean } & OnEnded;

function KeyActions({ of: { login, label, secrets }, isOwn, onEnded }: ActionsProps) {
  const { changeSecret } = useSession();
  const showSecret = useNewSecret();
  const name = label ? `${label} (${login})` : login;
  const hasTwo = secrets.length > 1;
  const onNewSecret = ({ secret }: { secret: string | null }) => {
    // The page goes on with the new secret of its own key: the older one may be retired from here then.
    if (isOwn && secret !== null) changeSecret(secret);
    showSecret({
      title: `The new secret of ${login}`,
      secret,
      about:
        'The old secret works too until you retire it. First store the new one everywhere the key is used.',
    });
  };
  const common = { on: name, input: { path: { login } }, changes: ['GET /keys'] } as const;
  const ended =
    (what: string) =>
    ({ effectiveWithinSeconds }: { effectiveWithinSeconds: number }) =>
      onEnded(`${what} The gateway may still accept it for ${effectiveWithinSeconds} seconds.`);
  const warning = (more = '') =>
    isOwn && (
      <Text fw={600} mt="xs">
        You are signed in with this key. {more}
      </Text>
    );
  return (
    <Group gap="xs" wrap="nowrap">
      {/* If the response to a rotation is lost, its dialog stays and offers to replace the secret that nobody saw. */}
      <Confirmed
        {...common}
        input={{ ...common.input, body: { replace: hasTwo } }}
        route="POST /keys/{login}/rotate"
        name={hasTwo ? 'Replace' : 'Rotate'}
        title={hasTwo ? `Replace the newer secret of ${name}?` : `Give ${name} a new secret?`}
        onDone={onNewSecret}
      >
        {hasTwo
          ? 'Do this if the newer secret was lost before it was stored. It ends, and the key gets another one. The older secret goes on working.'
          : 'The key gets a second secret. Both work until you retire the older one.'}
        {hasTwo &&
          warning('If that is by its newer secret, first sign in with the older one, or another key.')}
      </Confirmed>
      {hasTwo && (
        <Confirmed
          {...common}
          route="POST /keys/{login}/retire"
          name="Retire"
          title={`Retire the older secret of ${name}?`}
          onDone={ended(`The older secret of ${name} has ended.`)}
        >
          Programs that still use the older secret are then refused.
          {warning()}
        </Confirmed>
      )}
      {!isOwn && (
        <Confirmed
          {...common}
          route="DELETE /keys/{login}"
          name="Revoke"
          color="red"
          title={`Revoke ${name}?`}
          onDone={ended(`${name} is revoked.`)}
        >
          Programs that use the key are then refused, and this cannot be undone. The gateway may still accept
          the key for some minutes.
        </Confirmed>
      )}
    </Group>
  );
}
