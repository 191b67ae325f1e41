import { Group, Text } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { Confirmed } from '../../parts/confirmed.tsx';
import { endedSentence } from './sentences.ts';

export interface NewSecret {
  readonly login: string;
  readonly secret: string | null;
  /** What is still to do with it. */
  readonly next: string;
}

interface Props {
  readonly of: Answer<'GET /keys'>['keys'][number];
  readonly isOwn: boolean;
  readonly onSecret: (made: NewSecret) => void;
  readonly onEnded: (sentence: string) => void;
}

const changes = ['GET /keys'] as const;

/** What can be done with one key. */
export function KeyActions({ of: { login, label, secrets }, isOwn, onSecret, onEnded }: Props) {
  const name = label ? `${label} (${login})` : login;
  const input = { path: { login } };
  const common = { on: name, input, changes };
  return (
    <Group gap="xs" wrap="nowrap">
      {secrets.length < 2 ? (
        <Confirmed
          {...common}
          route="POST /keys/{login}/rotate"
          name="Rotate"
          title={`Give ${name} a new secret?`}
          onDone={({ secret }) =>
            onSecret({
              login,
              secret,
              next: 'The old secret works too, until you retire it: store this one wherever the key is used first.',
            })
          }
        >
          The key gets a second secret. Both work until you retire the older one.
        </Confirmed>
      ) : (
        <Confirmed
          {...common}
          route="POST /keys/{login}/retire"
          name="Retire"
          title={`Retire the older secret of ${name}?`}
          onDone={({ effectiveWithinSeconds }) =>
            onEnded(endedSentence(`The older secret of ${name} has ended.`, effectiveWithinSeconds))
          }
        >
          Whatever still signs in with the older secret is refused from then on.
          {isOwn && <OwnKey />}
        </Confirmed>
      )}
      <Confirmed
        {...common}
        route="DELETE /keys/{login}"
        name="Revoke"
        color="red"
        title={`Revoke ${name}?`}
        onDone={({ effectiveWithinSeconds }) =>
          onEnded(endedSentence(`${name} is revoked.`, effectiveWithinSeconds))
        }
      >
        Whatever uses the key is refused from then on, for ever. The gateway may let it in for some minutes
        more: the answer says how many.
        {isOwn && <OwnKey />}
      </Confirmed>
    </Group>
  );
}

function OwnKey() {
  return (
    <Text size="sm" fw={600} mt="xs">
      You are signed in with this key.
    </Text>
  );
}
