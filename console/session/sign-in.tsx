import { Alert, Anchor, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ApiError } from '../api/api-error.ts';
import type { Credentials } from '../api/call.ts';
import { Form } from '../parts/form.tsx';
import type { SignInProps } from './session.tsx';

const common = { required: true, withAsterisk: false, autoComplete: 'off' };

export function SignIn({ start, refusedLogin }: SignInProps) {
  const sending = useMutation<void, ApiError, Credentials>({ mutationFn: start });
  const form = useForm({
    initialValues: { login: refusedLogin ?? '', secret: '' },
    validate: { login: isNotEmpty('Required'), secret: isNotEmpty('Required') },
  });
  const { getInputProps: input } = form;
  const signIn = ({ login, secret }: Credentials) =>
    sending.mutate({ login: login.trim(), secret: secret.trim() });
  return (
    <Stack component="main" align="center" justify="center" mih="100vh" p="md">
      <Paper withBorder shadow="sm" radius="md" p="xl" w="100%" maw={420}>
        <Title order={1} size="h3">
          Partner console
        </Title>
        <Text c="dimmed" mt={4} mb="md">
          Sign in with a key of your account. The console keeps it in the memory of this page only.
        </Text>
        <Form form={form} sending={sending} failed="You are not signed in" button="Sign in" onSubmit={signIn}>
          <TextInput
            label="Login"
            autoFocus={!refusedLogin}
            autoCapitalize="none"
            spellCheck={false}
            {...common}
            {...input('login')}
          />
          <PasswordInput label="Secret" autoFocus={!!refusedLogin} {...common} {...input('secret')} />
          {refusedLogin && !sending.error && (
            <Alert color="yellow" role="alert">
              The key {refusedLogin} is no longer accepted. Sign in with another key or secret of the same
              partner: what you typed is still here.
            </Alert>
          )}
        </Form>
        <Text c="dimmed" mt="md">
          No key yet? The person who set up your account has the first one, and can make others on the page
          Keys. You need no key for the{' '}
          <Anchor href="/openapi.json" inherit underline="always">
            OpenAPI document
          </Anchor>
          .
        </Text>
      </Paper>
    </Stack>
  );
}
