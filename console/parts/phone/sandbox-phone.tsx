import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Answer } from '../../api/operations.ts';
import { every, useApi, useSend } from '../../api/use-api.ts';
import { useKept } from '../../session/kept.ts';
import { Answered } from '../answered.tsx';
import { Confirmed } from '../confirmed.tsx';
import { Failure } from '../failure.tsx';
import { Frame } from './frame.tsx';
import { Notification } from './notification.tsx';

type Message = Answer<'GET /sandbox/phones/{msisdn}'>['messages'][number];

const againAfterMs = 1_500;

/** The number of the phone in this session; empty until there is one. */
export function usePhoneNumber() {
  return useKept('phone', '');
}

/** A phone of the simulated wallet platform: shows what is sent to its number, and opens it by a tap. */
export function SandboxPhone() {
  const [msisdn, setMsisdn] = usePhoneNumber();
  return msisdn === '' ? (
    <PutPhone done={(number) => setMsisdn(() => number)} />
  ) : (
    <Stack gap="sm" align="center">
      <Screen key={msisdn} msisdn={msisdn} />
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => setMsisdn(() => '')}>
          Another number
        </Button>
        <Confirmed
          name="Remove phone"
          title={`Remove the phone ${msisdn}?`}
          color="red"
          route="DELETE /sandbox/phones/{msisdn}"
          input={{ path: { msisdn } }}
          changes={[]}
          onDone={() => setMsisdn(() => '')}
        >
          What it shows is deleted. Messages to the number are answered MSISDN_NOT_REGISTERED, unless the
          wallet platform knows it otherwise.
        </Confirmed>
      </Group>
    </Stack>
  );
}

function PutPhone({ done }: { readonly done: (msisdn: string) => void }) {
  const [typed, setTyped] = useState('79001234567');
  const { mutate, error, isPending } = useSend('PUT /sandbox/phones/{msisdn}', [
    'GET /sandbox/phones/{msisdn}',
  ]);
  function put(event: FormEvent) {
    event.preventDefault();
    const msisdn = typed.replace(/[\s()+-]/g, '');
    mutate({ path: { msisdn } }, { onSuccess: () => done(msisdn) });
  }
  return (
    <form onSubmit={put}>
      <Frame name="No phone yet">
        <Text size="sm">
          Give a number a phone: messages of your account to it arrive here, and you open them yourself. It is
          kept 30 days, and seen by your keys alone.
        </Text>
        <TextInput
          label="Number of the phone"
          required
          withAsterisk={false}
          inputMode="tel"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" loading={isPending}>
          Put phone
        </Button>
        <Failure error={error} title="There is no phone" />
      </Frame>
    </form>
  );
}

function Screen({ msisdn }: { readonly msisdn: string }) {
  const phone = useApi(
    'GET /sandbox/phones/{msisdn}',
    { path: { msisdn } },
    { refetchInterval: every(againAfterMs) },
  );
  const { mutate: open, error } = useSend('POST /sandbox/phones/{msisdn}/messages/{messageId}/open', [
    'GET /sandbox/phones/{msisdn}',
    'GET /push/{messageId}/transactional-state',
  ]);
  return (
    <Frame name={`+${msisdn}`}>
      <Failure error={error} title="The message is not open" />
      <Answered query={phone}>
        {({ registered, messages }) => (
          <>
            <Text size="xs" role="status">
              {messages.length === 0 ? emptyScreen(registered) : `${messages.length} shown, newest first`}
            </Text>
            {messages.map((message) => (
              <Notification
                key={message.messageId}
                {...notificationOf(message)}
                onTap={
                  message.state === 'OPENED'
                    ? undefined
                    : () => open({ path: { msisdn, messageId: message.messageId } })
                }
              />
            ))}
          </>
        )}
      </Answered>
    </Frame>
  );
}

function emptyScreen(registered: boolean): string {
  return registered
    ? 'Nothing was sent to this number yet. Send a message to it: it arrives here by itself.'
    : 'This number is not registered, as of a person without the app: messages to it do not arrive.';
}

function notificationOf({ sender, deliveredAt, payload, state }: Message) {
  const { title, message, image, deeplink } = payload as Message['payload'] & {
    image?: string;
    deeplink?: { target?: string; campaignId?: string | number };
  };
  const { target = 'card', campaignId = '' } = deeplink ?? {};
  const opens =
    target === 'card' ? 'the card' : target === 'campaigns' ? 'all promotions' : `promotion ${campaignId}`;
  return {
    sender,
    when: new Date(deliveredAt).toLocaleTimeString('en-GB', { timeStyle: 'short' }),
    title,
    message,
    image,
    note: state === 'OPENED' ? `Opened: shows ${opens}` : `Tap to open ${opens}`,
  };
}
