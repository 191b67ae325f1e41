import { Checkbox, NativeSelect, NumberInput, PasswordInput, TextInput } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { useSend } from '../../api/use-api.ts';
import { Form, useFields } from '../../parts/form.tsx';
import { endpointChange, fieldsOf } from './endpoint-change.ts';

interface Props {
  readonly endpoint: Answer<'GET /callbacks/endpoint'> | undefined;
  readonly onSaved: (answer: Answer<'PUT /callbacks/endpoint'>) => void;
}

export function EndpointForm({ endpoint, onSaved }: Props) {
  const sending = useSend('PUT /callbacks/endpoint', ['GET /callbacks/endpoint']);
  const { fields, input } = useFields(fieldsOf(endpoint), sending.error);
  const { value: sendsBasic, ...basic } = input('sendsBasic', 'basic');
  const save = () => sending.mutate({ body: endpointChange(fields, endpoint) }, { onSuccess: onSaved });
  return (
    <Form sending={sending} failed="The endpoint was not saved" button="Save" onSubmit={save}>
      <TextInput
        label="Address"
        description="https, public, port 443 or from 1024 on."
        placeholder="https://partner.example/callbacks"
        data-autofocus
        {...input('url')}
      />
      <Checkbox
        label="Send a login and a password (HTTP Basic)"
        description="Beside the signature, which every callback carries."
        checked={sendsBasic}
        {...basic}
      />
      {sendsBasic && (
        <>
          <TextInput label="Login of your endpoint" autoComplete="off" {...input('login', 'basic.login')} />
          <PasswordInput
            label="Password of your endpoint"
            description={endpoint?.basicLogin === undefined ? undefined : 'Left empty, it stays as it is.'}
            autoComplete="off"
            {...input('password', 'basic.password')}
          />
        </>
      )}
      <NumberInput
        label="Timeout in seconds"
        description="How long your endpoint may take to answer: 1 to 30."
        allowDecimal={false}
        {...input('timeoutSeconds')}
      />
      <NativeSelect
        label="What the list below shows"
        data={[
          ...(endpoint ? [] : [{ value: '', label: 'As usual on this stage' }]),
          { value: 'failures', label: 'What was not delivered at once' },
          { value: 'all', label: 'Everything; what was delivered at once for 3 days' },
        ]}
        {...input('log')}
      />
    </Form>
  );
}
