import { Alert, Anchor, Button, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { prevented, useFields } from '../parts/form.tsx';
import type { SignInProps } from './session.tsx';

export function SignIn({ start, refusedLogin }: SignInProps) {
  const { fields, input } = useFields({ login: refusedLogin ?? '', secret: '' }, null);
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const waiting =
    refusedLogin &&
    `The key ${refusedLogin} is no longer accepted: sign in with another key or secret of the same partner to go on with what you typed.`;
  const problem = refused ?? waiting;
  const submit = prevented(() => {
    setBusy(true);
    setRefused(undefined);
    start({ login: fields.login.trim(), secret: fields.secret.trim() }).catch(({ message }: Error) => {
      setRefused(message);
      setBusy(false);
    });
  });
  const common = { required: true, withAsterisk: false, autoComplete: 'off' };
  return (
    <Stack component="main" align="center" justify="center" mih="100vh" p="md">
      <Paper component="form" onSubmit={submit} withBorder shadow="sm" radius="md" p="xl" w="100%" maw={420}>
        <Stack>
          <div>
            <Title order={1} size="h3">
              Partner console
            </Title>
            <Text c="dimmed" mt={4}>
              Sign in with a key of your account. It stays in the memory of this page only.
            </Text>
          </div>
          <TextInput
            label="Login"
            autoFocus={!refusedLogin}
            autoCapitalize="none"
            spellCheck={false}
            {...common}
            {...input('login')}
          />
          <PasswordInput label="Secret" autoFocus={!!refusedLogin} {...common} {...input('secret')} />
          {problem && (
            <Alert color={refused ? 'red' : 'yellow'} role="alert">
              {problem}
            </Alert>
          )}
          <Button type="submit" loading={busy}>
            Sign in
          </Button>
          <Text c="dimmed">
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
