import { Button, Checkbox, NativeSelect, NumberInput, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import type { Answer } from '../../api/operations.ts';
import { useSend } from '../../api/use-api.ts';
import { Failure } from '../../parts/failure.tsx';
import { type EndpointFields, endpointChange, fieldsOf } from './endpoint-change.ts';

interface Props {
  readonly endpoint: Answer<'GET /callbacks/endpoint'> | undefined;
  readonly onSaved: (answer: Answer<'PUT /callbacks/endpoint'>) => void;
}

export function EndpointForm({ endpoint, onSaved }: Props) {
  const [fields, setFields] = useState(() => fieldsOf(endpoint));
  const change = (some: Partial<EndpointFields>) => setFields((before) => ({ ...before, ...some }));
  const { mutate, error, isPending } = useSend('PUT /callbacks/endpoint', ['GET /callbacks/endpoint']);
  const wrong = fieldErrors(error);

  function submit(event: FormEvent) {
    event.preventDefault();
    mutate({ body: endpointChange(fields, endpoint) }, { onSuccess: onSaved });
  }

  return (
    <Stack component="form" onSubmit={submit}>
      <TextInput
        label="Address"
        description="https, public, port 443 or from 1024 on."
        placeholder="https://partner.example/callbacks"
        data-autofocus
        error={wrong['url']}
        value={fields.url}
        onChange={(event) => change({ url: event.currentTarget.value })}
      />
      <Checkbox
        label="Send a login and a password (HTTP Basic)"
        description="Beside the signature, which every callback carries."
        checked={fields.sendsBasic}
        onChange={(event) => change({ sendsBasic: event.currentTarget.checked })}
      />
      {fields.sendsBasic && (
        <>
          <TextInput
            label="Login of your endpoint"
            autoComplete="off"
            error={wrong['basic.login']}
            value={fields.login}
            onChange={(event) => change({ login: event.currentTarget.value })}
          />
          <PasswordInput
            label="Password of your endpoint"
            description={endpoint?.basicLogin === undefined ? undefined : 'Left empty, it stays as it is.'}
            autoComplete="off"
            error={wrong['basic.password']}
            value={fields.password}
            onChange={(event) => change({ password: event.currentTarget.value })}
          />
        </>
      )}
      <NumberInput
        label="Timeout in seconds"
        description="How long your endpoint may take to answer: 1 to 30."
        allowDecimal={false}
        error={wrong['timeoutSeconds']}
        value={fields.timeoutSeconds}
        onChange={(timeoutSeconds) => change({ timeoutSeconds })}
      />
      <NativeSelect
        label="What the list below shows"
        data={[
          ...(endpoint ? [] : [{ value: '', label: 'As usual on this stage' }]),
          { value: 'failures', label: 'What was not delivered at once' },
          { value: 'all', label: 'Everything; what was delivered at once for 3 days' },
        ]}
        error={wrong['log']}
        value={fields.log}
        onChange={(event) => change({ log: event.currentTarget.value as EndpointFields['log'] })}
      />
      <Failure error={error} title="The endpoint was not saved" />
      <Button type="submit" loading={isPending}>
        Save
      </Button>
    </Stack>
  );
}
