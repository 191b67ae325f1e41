import { Checkbox, Group, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { ResponseTo } from '../../api/operations.ts';
import { useSend } from '../../api/use-api.ts';
import { useNewSecret } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import {
  type EndpointFields,
  endpointChange,
  fieldsOf,
  passwordHint,
  problemsOf,
} from './endpoint-change.ts';
import { callbackStates } from './states.ts';

type Props = { endpoint: ResponseTo<'GET /callbacks/endpoint'> | undefined; onClose: () => void };

export const newSecret = {
  title: 'The signing secret',
  about:
    'Your endpoint verifies the signature of every callback that is posted with it. The tab “Verify” has programs that do.',
};

export function EndpointForm({ endpoint: latest, onClose }: Props) {
  const showSecret = useNewSecret();
  // The form is compared with what it was opened with: others may change the rest meanwhile.
  const [endpoint] = useState(latest);
  const sending = useSend('PUT /callbacks/endpoint', ['GET /callbacks/endpoint'], {
    // A new endpoint has a secret. It is not there if an earlier request has set the endpoint, whose response was lost.
    onDone: ({ secret = endpoint ? undefined : null }) =>
      secret !== undefined && showSecret({ ...newSecret, secret }),
  });
  const form = useForm({
    initialValues: fieldsOf(endpoint),
    validate: (fields) => problemsOf(fields, endpoint),
  });
  const { getInputProps: input } = form;
  const isPosted = form.values.mode === 'post';
  function save(fields: EndpointFields) {
    const body = endpointChange(fields, endpoint);
    if (Object.keys(body).length === 0) onClose();
    else sending.mutate({ body }, { onSuccess: onClose });
  }
  return (
    <Form form={form} sending={sending} failed="The endpoint was not saved" button="Save" onSubmit={save}>
      <NativeSelect
        label="How you get callbacks"
        description={
          isPosted
            ? undefined
            : 'You request them from GET /callbacks/feed, where they stay for 7 days. Your server needs no address. What waits for a retry now comes into the feed when it is due.'
        }
        data={[
          { value: 'post', label: 'They are posted to your server' },
          { value: 'feed', label: 'You read them from a feed' },
        ]}
        data-autofocus={isPosted ? undefined : true}
        {...input('mode')}
      />
      {isPosted && (
        <>
          <TextInput
            label="Address"
            description="A public https address, on port 443 or a port from 1024 on."
            required
            placeholder="https://partner.example/callbacks"
            data-autofocus
            {...input('url')}
          />
          <Checkbox
            label="Send a login and a password (HTTP Basic)"
            description="In addition to the signature, which every callback carries."
            {...input('sendsBasic', { type: 'checkbox' })}
          />
          {form.values.sendsBasic && (
            <>
              <TextInput label="Login of your endpoint" autoComplete="off" {...input('basic.login')} />
              <PasswordInput
                label="Password of your endpoint"
                description={passwordHint(form.values, endpoint)}
                autoComplete="off"
                {...input('basic.password')}
              />
            </>
          )}
          <TextInput
            label="Timeout in seconds"
            description="How long your endpoint may take to respond: 1 to 30."
            inputMode="numeric"
            {...input('timeoutSeconds')}
          />
          <TextInput
            label="Callbacks a second"
            description="How many your endpoint takes: 1 to 1,000. Leave it empty for no limit."
            inputMode="numeric"
            {...input('maxPerSecond')}
          />
        </>
      )}
      <Checkbox.Group
        label="States"
        description="Which states you are called back about. Those of other states are not made, and cannot be replayed later."
        {...input('states')}
      >
        <Group mt="xs">
          {callbackStates.map((state) => (
            <Checkbox key={state} value={state} label={state} />
          ))}
        </Group>
      </Checkbox.Group>
      {isPosted && (
        <NativeSelect
          label="Which callbacks are listed"
          data={[
            ...(endpoint ? [] : [{ value: '', label: 'The default of this stage' }]),
            { value: 'failures', label: 'Those that were not delivered at once' },
            { value: 'all', label: 'All; those delivered at once are kept for 3 days' },
          ]}
          {...input('log')}
        />
      )}
    </Form>
  );
}
