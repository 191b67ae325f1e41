import {
  Button,
  Fieldset,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { type SyntheticEvent, useId, useMemo } from 'react';
import { fieldErrors } from '../../api/api-error.ts';
import { Bar } from '../../parts/bar.tsx';
import { BusyButton } from '../../parts/buttons.tsx';
import { DateTimeInput } from '../../parts/date-time.tsx';
import { count, localTime, zoneAt } from '../../parts/figures.tsx';
import { percent } from '../../parts/funnel.ts';
import { Card } from '../../parts/page.tsx';
import { Failure } from '../../parts/response.tsx';
import type { Rate } from '../../session/rate.ts';
import { useSession } from '../../session/session.tsx';
import { type Draft, momentIn, problemsOf, reasonNotToSend, recipientsIn, utmFields } from './draft.ts';
import { Counted, type Given, NumbersField } from './fields.tsx';
import { useReach, useSending } from './sending.ts';
import { Sent } from './sent.tsx';

type Props = { draft: Draft; change: (part: Partial<Draft>) => void; follow: (messageId: string) => void };

export function Compose({ draft, change, follow }: Props) {
  const { key } = useSession();
  const recipients = useMemo(() => recipientsIn(draft.numbers), [draft.numbers]);
  const sending = useSending(draft, recipients.numbers);
  const { request, isPending, mayBeSent, outcome, sentAtMs } = sending;
  // Repeating is safe, also when the times of the draft have passed meanwhile.
  const problems = problemsOf(draft, recipients, key.limits.bulkRecipients, sentAtMs);
  const reasonId = useId();
  const reach = useReach(request, draft, recipients.numbers);
  const reason = reasonNotToSend(draft, recipients, problems);
  const failure = reach.error ?? sending.error;
  const many = recipients.numbers.length;
  const to = count(many, 'number');

  const input = <Name extends keyof Draft>(name: Name) => ({
    value: draft[name],
    error: problems[name] ?? fieldErrors(failure)[members[name] ?? ''],
    onChange: (given: Given) =>
      change({ [name]: typeof given === 'string' ? given : given.currentTarget.value }),
  });
  const isPlanned = momentIn(draft.start) !== undefined;
  const isNew = sentAtMs === undefined;
  const isChecked = reach.reached !== undefined;
  const isUnchecked = (many > 1 || isPlanned) && !isChecked && isNew;
  const action = isUnchecked ? 'Check' : isPlanned ? 'Plan for' : 'Send to';
  const failed = mayBeSent
    ? 'It may have been sent. Try again unchanged within 24 hours: it is not sent twice'
    : 'Nothing was sent';
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (reason || outcome || isPending || reach.isPending) return;
    if (isUnchecked) reach.ask();
    else sending.send(follow);
  }
  return (
    <Card title="New message">
      <form noValidate onSubmit={submit}>
        <Stack gap="sm">
          {/* The outcome of a request is shown only at the draft that it was made of. */}
          <Fieldset variant="unstyled" mx={0} disabled={isPending}>
            <Stack gap="sm">
              <NativeSelect
                label="Type"
                {...input('pushType')}
                data={[
                  { value: 'SERVICE', label: 'Service (SERVICE)' },
                  { value: 'TRANSACTION', label: 'Transactional (TRANSACTION)' },
                  { value: 'PROMO', label: 'Advertising (PROMO)' },
                ]}
              />
              <Counted label="Title" name="title" {...input('title')} />
              <Counted label="Message" name="message" rows={3} {...input('message')} />
              {draft.pushType === 'PROMO' && (
                <Counted
                  label="Address of a picture"
                  name="image"
                  placeholder="https://"
                  {...input('image')}
                />
              )}
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <NativeSelect
                  label="A tap opens"
                  {...input('target')}
                  data={[
                    { value: 'card', label: 'The card' },
                    { value: 'campaigns', label: 'All promotions' },
                    { value: 'campaign', label: 'One promotion' },
                  ]}
                />
                {draft.target === 'campaign' && (
                  <TextInput label="Number of the promotion (promoId)" {...input('campaignId')} />
                )}
              </SimpleGrid>
              <NumbersField recipients={recipients} isPlanned={isPlanned} {...input('numbers')} />
              <Fieldset legend="Marks that come back in callbacks (UTM)" p="sm">
                <SimpleGrid cols={{ base: 1, xs: 3 }}>
                  {utmFields.map((name) => (
                    <TextInput key={name} label={name} autoComplete="off" {...input(name)} />
                  ))}
                </SimpleGrid>
              </Fieldset>
              <DateTimeInput
                label="Send at"
                description={`It is handed over within 70 s after that. ${hint(draft.start, 'to send at once')}`}
                {...input('start')}
              />
              <DateTimeInput
                label="Deadline"
                description={`From then on it is not shown on a phone that has not got it. ${hint(draft.deadline, 'for none')}`}
                {...input('deadline')}
              />
              <Switch
                label="Call back each state, if an endpoint is set"
                checked={draft.callbacks}
                onChange={(event) => change({ callbacks: event.currentTarget.checked })}
              />
            </Stack>
          </Fieldset>
          <Failure
            error={failure}
            title={failed}
            mayBeDone={failed}
            isAtField={(name) => Object.values(members).includes(name)}
          />
          {reach.reached !== undefined && isNew && (
            <Reached of={many} reached={reach.reached} rate={isPlanned ? reach.rate : undefined} />
          )}
          <Group>
            <BusyButton
              // This button alone sends what was checked, and not Enter in a field. Enter that is held down may not send
              // what it has only checked at first.
              type={isChecked ? 'button' : 'submit'}
              onClick={(event) => isChecked && submit(event)}
              onKeyDown={(event) => event.key === 'Enter' && event.repeat && event.preventDefault()}
              busy={isPending}
              isDone={outcome !== undefined}
              disabled={reason !== undefined}
              aria-describedby={reason && reasonId}
            >
              {reach.isPending ? 'Checking …' : many === 0 ? 'Send' : `${action} ${to}`}
            </BusyButton>
            {reason && <Text id={reasonId}>{reason}</Text>}
            {outcome && <Sent {...outcome} numbers={recipients.numbers} isPlanned={isPlanned} />}
            {outcome && (
              <Button variant="default" onClick={sending.renew}>
                Allow sending it again
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

/** The members of the request at whose fields an error is shown. */
const members: Readonly<Partial<Record<keyof Draft, string>>> = {
  title: 'payload.title',
  message: 'payload.message',
  image: 'payload.image',
  campaignId: 'payload.deeplink.campaignId',
  start: 'qos.deliverFrom',
  deadline: 'qos.deliverDue',
};

/** The zone of a time, as this computer has it on that day, or what an empty field means. */
function hint(typed: string, empty: string): string {
  const at = momentIn(typed);
  if (at) return `That is ${localTime(at)}.`;
  return `On the clock of this computer, ${zoneAt(new Date())}. Leave it empty ${empty}.`;
}

/** `rate` is that of the minute for which the send is planned. */
function Reached({ reached, of, rate }: { reached: number; of: number; rate: Rate | undefined }) {
  const others = of - reached;
  return (
    <div role="status">
      <Text mb={4}>
        Would reach {count(reached)} of {count(of)} numbers ({percent(reached, of)}).
        {others > 0 && ` ${count(others)} without the wallet app would get nothing.`} Nothing is sent yet.
        {rate && ` ${count(rate.remaining)} of ${count(rate.limit)} recipients are left in that minute.`}
      </Text>
      <Bar share={(100 * reached) / of} />
    </div>
  );
}
