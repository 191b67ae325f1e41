import { Alert, Anchor, Button, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Credentials } from '../api/call.ts';

interface Props {
  readonly start: (credentials: Credentials) => Promise<void>;
  readonly ended: string | undefined;
}

export function SignIn({ start, ended }: Props) {
  const [login, setLogin] = useState('');
  const [secret, setSecret] = useState('');
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setRefused(undefined);
    try {
      await start({ login: login.trim(), secret: secret.trim() });
    } catch (error) {
      setRefused(error instanceof ApiError ? error.message : String(error));
      setBusy(false);
    }
  }

  return (
    <Stack component="main" align="center" justify="center" mih="100vh" p="md">
      <Paper component="form" onSubmit={submit} withBorder shadow="sm" radius="md" p="xl" w="100%" maw={420}>
        <Stack>
          <div>
            <Title order={1} size="h3">
              Partner console
            </Title>
            <Text c="dimmed" size="sm" mt={4}>
              Sign in with a key of your account. It stays in the memory of this page only.
            </Text>
          </div>
          <TextInput
            label="Login"
            required
            withAsterisk={false}
            autoFocus
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={login}
            onChange={(event) => setLogin(event.currentTarget.value)}
          />
          <PasswordInput
            label="Secret"
            required
            withAsterisk={false}
            autoComplete="off"
            value={secret}
            onChange={(event) => setSecret(event.currentTarget.value)}
          />
          {(refused ?? ended) && (
            <Alert color={refused ? 'red' : 'yellow'} role="alert">
              {refused ?? ended}
            </Alert>
          )}
          <Button type="submit" loading={busy}>
            Sign in
          </Button>
          <Text size="sm" c="dimmed">
            No key yet? Whoever set up your account has the first one; it makes others on the page Keys. The{' '}
            <Anchor href="/openapi.json" inherit underline="always">
              OpenAPI document
            </Anchor>{' '}
            needs none.
          </Text>
        </Stack>
      </Paper>
    </Stack>
  );
}
