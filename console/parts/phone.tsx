import { Box, Button, Group, Image, Paper, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { ResponseTo } from '../api/operations.ts';
import { every, useApi, useSend } from '../api/use-api.ts';
import { useSessionState } from '../session/session.tsx';
import { Confirmed } from './confirmed.tsx';
import { LineForm } from './form.tsx';
import { Failure, WithResponse } from './response.tsx';

type Message = ResponseTo<'GET /sandbox/phones/{msisdn}'>['messages'][number];

const againAfterMs = 1_500;

/** The number of the phone in this session, or an empty text. */
export function usePhoneNumber() {
  return useSessionState('phone', '');
}

/** A phone of the simulated wallet platform. It shows messages to its number, and a tap opens a message. */
export function SandboxPhone() {
  const [msisdn, setMsisdn] = usePhoneNumber();
  if (msisdn === '') return <PutPhone done={(number) => setMsisdn(() => number)} />;
  return (
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
          changes={['GET /sandbox/phones']}
          onDone={() => setMsisdn(() => '')}
        >
          Its messages are deleted. New messages to the number get the state MSISDN_NOT_REGISTERED, unless the
          wallet platform has registered the number itself.
        </Confirmed>
      </Group>
    </Stack>
  );
}

function PutPhone({ done }: { done: (msisdn: string) => void }) {
  // Another key of the partner may have added phones before.
  const phones = useApi('GET /sandbox/phones', {});
  const changes = ['GET /sandbox/phones', 'GET /sandbox/phones/{msisdn}'] as const;
  const { mutate, error, isPending } = useSend('PUT /sandbox/phones/{msisdn}', changes);
  function put(typed: string) {
    const msisdn = typed.replace(/[\s()+-]/g, '');
    mutate({ path: { msisdn } }, { onSuccess: () => done(msisdn) });
  }
  return (
    <Frame name="Your phones">
      <WithResponse query={phones}>
        {({ phones: own }) => (
          <Group gap="xs">
            {own.length === 0 && <Text fw={600}>No phone yet</Text>}
            {own.map(({ msisdn }) => (
              <Button key={msisdn} size="xs" variant="default" onClick={() => done(String(msisdn))}>
                +{msisdn}
              </Button>
            ))}
          </Group>
        )}
      </WithResponse>
      <Text>
        Add a phone for a number. Messages that your account sends to the number arrive here, and you open
        them yourself. Phones are kept for 30 days after the last was added, and only your keys can see them.
      </Text>
      <LineForm
        label="Number of the phone"
        initial="79001234567"
        required
        inputMode="tel"
        button="Put phone"
        busy={isPending}
        onSubmit={put}
      />
      <Failure error={error} title="The phone was not added" />
    </Frame>
  );
}

function Screen({ msisdn }: { msisdn: string }) {
  const refetchInterval = every(againAfterMs);
  const phone = useApi('GET /sandbox/phones/{msisdn}', { path: { msisdn } }, { refetchInterval });
  const { mutate: open, error } = useSend('POST /sandbox/phones/{msisdn}/messages/{messageId}/open', [
    'GET /sandbox/phones/{msisdn}',
    'GET /push/{messageId}/transactional-state',
  ]);
  const tapOf = ({ state, messageId }: Message) =>
    state === 'OPENED' ? undefined : () => open({ path: { msisdn, messageId } });
  return (
    <Frame name={`+${msisdn}`}>
      <Failure error={error} title="The message was not opened" />
      <WithResponse query={phone}>
        {({ registered, messages }) => (
          <>
            <Text size="xs" role="status">
              {messages.length === 0 ? emptyScreen(registered) : `${messages.length} shown, newest first`}
            </Text>
            {messages.map((message) => (
              <Notification key={message.messageId} {...notificationOf(message)} onTap={tapOf(message)} />
            ))}
          </>
        )}
      </WithResponse>
    </Frame>
  );
}

function emptyScreen(registered: boolean): string {
  return registered
    ? 'No message is shown on this number. One that is sent to it arrives here by itself.'
    : 'This number is not registered, so messages to it do not arrive. A person without the app has such a number.';
}

function notificationOf({ sender, deliveredAt, payload, state }: Message) {
  const { title, message, image, deeplink } = payload as Message['payload'] & {
    image?: string;
    deeplink?: { target?: string; campaignId?: string | number };
  };
  const { target = 'card', campaignId = '' } = deeplink ?? {};
  const opens = { card: 'the card', campaigns: 'all promotions' }[target] ?? `promotion ${campaignId}`;
  const when = new Date(deliveredAt).toLocaleTimeString('en-GB', { timeStyle: 'short' });
  const note = state === 'OPENED' ? `Opened: shows ${opens}` : `Tap to open ${opens}`;
  return { sender, when, title, message, image, note };
}

const metal = 'light-dark(var(--mantine-color-dark-6), var(--mantine-color-dark-3))';

const body = {
  border: `10px solid ${metal}`,
  borderRadius: 40,
  overflow: 'hidden',
  background: 'linear-gradient(160deg, var(--mantine-color-blue-light), var(--mantine-color-grape-light))',
};

function Frame({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box component="section" aria-label={name} w="100%" maw={340} mx="auto" style={body}>
      <Group justify="space-between" px="lg" pt="xs">
        <Text size="xs" fw={700}>
          {name}
        </Text>
        <Box w={56} h={14} bg={metal} style={{ borderRadius: 7 }} />
      </Group>
      {/* The tabIndex lets users scroll with the keyboard. */}
      <Box h={500} p="sm" tabIndex={0} style={{ overflowY: 'auto' }} role="region" aria-label="Screen">
        <Stack gap="xs">{children}</Stack>
      </Box>
      <Box w={110} h={4} bg={metal} mx="auto" mb={8} style={{ borderRadius: 2 }} />
    </Box>
  );
}

type Texts = { sender: string; when: string; title: string; message: string; note?: string };
/** The notification is a button only if `onTap` is given. */
type Props = Texts & { image?: string | undefined; onTap?: (() => void) | undefined };

const typingMs = 500;

export function Notification({ sender, when, title, message, image = '', note, onTap }: Props) {
  // The browser requests the image only when the user has stopped typing its address.
  const [address] = useDebouncedValue(image, typingMs);
  const [missing, setMissing] = useState<string>();
  const shown = (
    <Paper withBorder shadow="sm" radius="lg" p="sm" style={{ overflowWrap: 'anywhere' }}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="xs" c="dimmed" truncate>
          {sender}
        </Text>
        <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
          {when}
        </Text>
      </Group>
      <Text fw={700}>{title}</Text>
      <Text style={{ whiteSpace: 'pre-wrap' }}>{message}</Text>
      {address.startsWith('https://') && missing !== address && (
        <Image src={address} alt="" radius="md" mt="xs" mah={140} onError={() => setMissing(address)} />
      )}
      {note && (
        <Text size="xs" c="dimmed" mt={4}>
          {note}
        </Text>
      )}
    </Paper>
  );
  if (!onTap) return shown;
  return (
    <UnstyledButton w="100%" onClick={onTap}>
      {shown}
    </UnstyledButton>
  );
}
