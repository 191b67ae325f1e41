import { Button, Checkbox, Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ResponseTo } from '../../api/operations.ts';
import { seldom, useApi, useSend } from '../../api/use-api.ts';
import { BusyButton } from '../../parts/buttons.tsx';
import { Confirmed } from '../../parts/confirmed.tsx';
import { Dialog, useNewSecret, useOwnDialog } from '../../parts/dialog.tsx';
import { sendingFacts } from '../../parts/endpoint.tsx';
import { eventKinds } from '../../parts/events.tsx';
import { required } from '../../parts/fields.ts';
import { SecretDates, Time } from '../../parts/figures.tsx';
import { Form } from '../../parts/form.tsx';
import { Card, NextStep } from '../../parts/page.tsx';
import { Failure, WithResponse } from '../../parts/response.tsx';
import { Facts } from '../../parts/rows.tsx';
import { useSession } from '../../session/session.tsx';
import { TestOutcome, targetOf } from './test-outcome.tsx';

type Alerts = ResponseTo<'GET /alerts'>;
type Kind = Alerts['kinds'][number];

/** The address to which chosen events are posted. It needs no endpoint of callbacks. */
export function AlertsPanel() {
  const mayChange = useSession().may();
  const alerts = useApi('GET /alerts', {}, seldom);
  const [isEditing, { open, close }] = useOwnDialog();
  const notSet = (
    <NextStep title="No alerts are set">
      An alert is an event that is posted to an address of yours as soon as it happens: an incoming webhook of
      Slack or Mattermost shows its sentence.
      {mayChange && (
        <Button mt="md" display="block" onClick={open}>
          Set alerts
        </Button>
      )}
    </NextStep>
  );
  return (
    <>
      <WithResponse query={alerts} instead={{ ALERTS_NOT_SET: notSet }}>
        {(data) => <AlertsCard key={targetOf(data)} alerts={data} onEdit={open} />}
      </WithResponse>
      <Dialog opened={isEditing} onClose={close} title="Where alerts are posted">
        <AlertsForm
          alerts={alerts.error?.code === 'ALERTS_NOT_SET' ? undefined : alerts.data}
          onClose={close}
        />
      </Dialog>
    </>
  );
}

function AlertsCard({ alerts, onEdit }: { alerts: Alerts; onEdit: () => void }) {
  const { url, status, failingSince, kinds, secrets } = alerts;
  const { mutate, data, error, isPending } = useSend('POST /alerts/test');
  return (
    <Card title="Alerts">
      <Facts
        facts={{
          Address: url,
          ...sendingFacts(alerts),
          'Failing since': failingSince && <Time at={failingSince} />,
          Events: kinds.map((kind) => eventKinds[kind]).join(', '),
          'Signing secret': <SecretDates secrets={secrets} />,
        }}
      />
      {useSession().may() && (
        <Group my="md" gap="xs">
          <Button size="xs" onClick={onEdit}>
            {status === 'ENABLED' ? 'Edit' : 'Edit and enable'}
          </Button>
          <BusyButton size="xs" variant="default" busy={isPending} onClick={() => mutate({})}>
            Send a test
          </BusyButton>
          <Confirmed
            name="Delete the alerts"
            title="Delete the alerts?"
            color="red"
            route="DELETE /alerts"
            input={{}}
            changes={['GET /alerts']}
          >
            Nothing is posted any more. What waits for another attempt is skipped, unless another address is
            set by then. The events stay.
          </Confirmed>
        </Group>
      )}
      {data && <TestOutcome {...data} />}
      <Failure error={error} title="The test was not sent" />
    </Card>
  );
}

/** The kinds that the service posts if nobody chooses. */
const usualKinds: readonly Kind[] = [
  'endpoint.failing',
  'endpoint.recovered',
  'endpoint.disabled',
  'callbacks.failed',
  'list.held',
  'list.failed',
];

const newSecret = {
  title: 'The secret of the alerts',
  about:
    'Alerts are signed with it, as callbacks are with theirs. An incoming webhook of a chat does not need it.',
};

function AlertsForm({ alerts, onClose }: { alerts: Alerts | undefined; onClose: () => void }) {
  const showSecret = useNewSecret();
  const sending = useSend('PUT /alerts', ['GET /alerts'], {
    onDone: ({ secret }) => showSecret({ ...newSecret, secret }),
  });
  const form = useForm({
    initialValues: { url: alerts?.url ?? '', kinds: [...(alerts?.kinds ?? usualKinds)] },
    validate: ({ url, kinds }) => ({
      ...required({ url }),
      ...(kinds.length === 0 && { kinds: 'Choose at least one' }),
    }),
  });
  return (
    <Form
      form={form}
      sending={sending}
      failed="The alerts were not saved"
      button="Save"
      onSubmit={(body) => sending.mutate({ body }, { onSuccess: onClose })}
    >
      <TextInput
        label="Address"
        description="A public https address, such as that of an incoming webhook of a chat."
        required
        data-autofocus
        {...form.getInputProps('url')}
      />
      <Checkbox.Group label="Events" {...form.getInputProps('kinds')}>
        <SimpleGrid mt="xs" cols={{ base: 1, xs: 2 }} verticalSpacing="xs">
          {Object.entries(eventKinds)
            .filter(([kind]) => kind !== 'alerts.changed')
            .map(([kind, label]) => (
              <Checkbox key={kind} value={kind} label={label} />
            ))}
        </SimpleGrid>
      </Checkbox.Group>
      <Text size="xs" c="dimmed">
        Saving makes a new secret, and enables alerts that were disabled.
      </Text>
    </Form>
  );
}
