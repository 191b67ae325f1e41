import { Button, Group, NativeSelect, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { type FormEvent, useDeferredValue, useMemo } from 'react';
import { Card } from '../../parts/card.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useSession } from '../../session/session.tsx';
import { Counted } from './counted.tsx';
import { type Draft, isComplete, limits, problemsOf } from './draft.ts';
import { NumbersField } from './numbers-field.tsx';
import { recipientsIn } from './recipients.ts';
import { useSending } from './sending.ts';

interface Props {
  readonly draft: Draft;
  readonly change: (changed: Partial<Draft>) => void;
  /** Is called with the message to one number. */
  readonly follow: (messageId: string) => void;
}

export function Compose({ draft, change, follow }: Props) {
  const { key } = useSession();
  // Ten thousand lines are read after what is typed is shown.
  const pasted = useDeferredValue(draft.numbers);
  const recipients = useMemo(() => recipientsIn(pasted), [pasted]);
  const problems = problemsOf(draft, recipients, key.limits.bulkRecipients);
  const { send, isPending, error, isSent, renew } = useSending(draft, recipients.numbers);
  const isReady = isComplete(draft, recipients) && Object.keys(problems).length === 0;
  const count = recipients.numbers.length;
  const to = count === 1 ? '1 number' : `${count.toLocaleString('en-GB')} numbers`;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isReady && !isSent && !isPending)
      send(({ answers: [one, ...others] }) => one && others.length === 0 && follow(one.messageId));
  }
  return (
    <Card title="New message">
      <Stack component="form" onSubmit={submit} gap="sm">
        <NativeSelect
          label="Type"
          value={draft.pushType}
          onChange={(event) => change({ pushType: event.currentTarget.value as Draft['pushType'] })}
          data={[
            { value: 'SERVICE', label: 'Service (SERVICE)' },
            { value: 'TRANSACTION', label: 'Transactional (TRANSACTION)' },
            { value: 'PROMO', label: 'Advertising (PROMO)' },
          ]}
        />
        <Counted
          label="Title"
          value={draft.title}
          limit={limits.title}
          problem={problems.title}
          onChange={(title) => change({ title })}
        />
        <Counted
          label="Message"
          rows={3}
          value={draft.message}
          limit={limits.message}
          problem={problems.message}
          onChange={(message) => change({ message })}
        />
        {draft.pushType === 'PROMO' && (
          <Counted
            label="Address of a picture"
            placeholder="https://"
            inputMode="url"
            value={draft.image}
            limit={limits.image}
            problem={problems.image}
            onChange={(image) => change({ image })}
          />
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NativeSelect
            label="A tap opens"
            value={draft.target}
            onChange={(event) => change({ target: event.currentTarget.value as Draft['target'] })}
            data={[
              { value: 'card', label: 'The card' },
              { value: 'campaigns', label: 'All promotions' },
              { value: 'campaign', label: 'One promotion' },
            ]}
          />
          {draft.target === 'campaign' && (
            <TextInput
              label="Number of the promotion (promoId)"
              value={draft.campaignId}
              error={problems.campaignId}
              autoComplete="off"
              onChange={(event) => change({ campaignId: event.currentTarget.value.trim() })}
            />
          )}
        </SimpleGrid>
        <NumbersField
          value={draft.numbers}
          recipients={recipients}
          problem={problems.numbers}
          onChange={(numbers) => change({ numbers })}
        />
        <Switch
          label="Call back each state, if an endpoint is set"
          checked={draft.callbacks}
          onChange={(event) => change({ callbacks: event.currentTarget.checked })}
        />
        <Failure error={error} title="Nothing was sent" />
        <Group>
          <Button type="submit" loading={isPending} disabled={!isReady || isSent}>
            {count === 0 ? 'Send' : `Send to ${to}`}
          </Button>
          {isSent && (
            <>
              <Text size="sm" role="status">
                Sent to {to}. The same message is not sent twice by a second click.
              </Text>
              <Button variant="default" onClick={renew}>
                Send it once more
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Card>
  );
}
