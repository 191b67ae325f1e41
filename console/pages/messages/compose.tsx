import {
  Button,
  Fieldset,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDeferredValue, useId, useMemo } from 'react';
import { fieldErrors } from '../../api/api-error.ts';
import { settings } from '../../api/settings.ts';
import { Bar } from '../../parts/bar.tsx';
import { count } from '../../parts/count.ts';
import { DateTimeInput } from '../../parts/date-time.tsx';
import { percent } from '../../parts/funnel.ts';
import { Card } from '../../parts/page.tsx';
import { usePhoneNumber } from '../../parts/phone.tsx';
import { Failure } from '../../parts/response.tsx';
import { localTime } from '../../parts/time.tsx';
import type { Rate } from '../../session/rate.ts';
import { useSession } from '../../session/session.tsx';
import {
  type Draft,
  lengthOf,
  limits,
  momentIn,
  problemsOf,
  type Recipients,
  reasonNotToSend,
  recipientsIn,
  utmFields,
} from './draft.ts';
import { useReach, useSending } from './sending.ts';
import { Sent } from './sent.tsx';

type Props = { draft: Draft; change: (draft: Draft) => void; follow: (messageId: string) => void };

export function Compose({ draft, change, follow }: Props) {
  const { key } = useSession();
  // The deferred value keeps typing quick: ten thousand lines are read when there is time.
  const pasted = useDeferredValue(draft.numbers);
  const recipients = useMemo(() => recipientsIn(pasted), [pasted]);
  const { request, send, isPending, error, sentAtMs, ...sent } = useSending(draft, recipients.numbers);
  // Repeating is safe, also when the times of the draft have passed meanwhile.
  const problems = problemsOf(draft, recipients, key.limits.bulkRecipients, sentAtMs);
  const reasonId = useId();
  const reach = useReach(request, draft, recipients.numbers);
  const reason = reasonNotToSend(draft, recipients, problems);
  const failure = error ?? reach.error;
  const many = recipients.numbers.length;
  const to = many === 1 ? '1 number' : `${count(many)} numbers`;

  const form = useForm({ initialValues: draft, onValuesChange: change });
  const input = <Name extends keyof Draft>(name: Name) => ({
    ...form.getInputProps(name),
    value: draft[name],
    error: problems[name],
  });
  const isPlanned = momentIn(draft.start) !== undefined;
  const time = (name: keyof typeof members) => ({
    ...input(name),
    error: problems[name] ?? fieldErrors(failure)[members[name]],
  });
  const isNew = sentAtMs === undefined;
  const isUnchecked = (many > 1 || isPlanned) && reach.reached === undefined && isNew;
  function submit() {
    if (reason || sent.isSent || isPending || reach.isPending) return;
    if (isUnchecked) reach.ask();
    else send(follow);
  }
  return (
    <Card title="New message">
      <form noValidate onSubmit={form.onSubmit(submit)}>
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
            <Counted label="Address of a picture" name="image" placeholder="https://" {...input('image')} />
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
            {...time('start')}
          />
          <DateTimeInput
            label="Deadline"
            description={`From then on it is not shown on a phone that has not got it. ${hint(draft.deadline, 'for none')}`}
            {...time('deadline')}
          />
          <Switch
            label="Call back each state, if an endpoint is set"
            {...form.getInputProps('callbacks', { type: 'checkbox' })}
          />
          <Failure
            error={failure}
            title="Nothing was sent"
            mayBeDone="It may have been sent. Try again unchanged: it is not sent twice"
            isAtField={(name) => Object.values(members).includes(name)}
          />
          {reach.reached !== undefined && isNew && (
            <Reached of={many} reached={reach.reached} rate={isPlanned ? reach.rate : undefined} />
          )}
          <Group>
            <Button
              type="submit"
              loading={isPending || reach.isPending}
              disabled={reason !== undefined || sent.isSent}
              aria-describedby={reason && reasonId}
              // The second click of a double click must not send what the first one has only checked.
              onClick={(event) => event.detail > 1 && event.preventDefault()}
            >
              {many === 0 ? 'Send' : `${isUnchecked ? 'Check' : isPlanned ? 'Plan for' : 'Send to'} ${to}`}
            </Button>
            {reason && <Text id={reasonId}>{reason}</Text>}
            {sent.isSent && <Sent what={`${isPlanned ? 'Planned for' : 'Sent to'} ${to}`} {...sent} />}
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

/** The member of the request that each field of a time is. */
const members = { start: 'qos.deliverFrom', deadline: 'qos.deliverDue' };

/** The zone of a time, as this computer has it on that day, or what an empty field means. */
function hint(typed: string, empty: string): string {
  const at = momentIn(typed);
  if (at) return `That is ${localTime(at)}.`;
  return `On the clock of this computer, ${localTime(new Date()).split(' ').at(-1)}. Leave it empty ${empty}.`;
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

type FieldProps = { value: string; error: string | undefined; onChange: (given: unknown) => void };
type CountedProps = FieldProps & {
  label: string;
  name: keyof typeof limits;
  placeholder?: string;
  rows?: number;
};

function Counted({ rows, ...props }: CountedProps) {
  const description = `${count(lengthOf(props.value))} of ${count(limits[props.name])} characters`;
  const field = { ...props, description, autoComplete: 'off' };
  return rows ? <Textarea {...field} rows={rows} /> : <TextInput {...field} />;
}

type NumbersProps = FieldProps & { recipients: Recipients; isPlanned: boolean };

function NumbersField({ recipients, isPlanned, ...props }: NumbersProps) {
  const { value, onChange } = props;
  const { rate, key } = useSession();
  const [phone] = usePhoneNumber();
  const { numbers, duplicates } = recipients;
  const left = rate?.remaining ?? key.limits.pushesPerMinute;
  const facts = [
    `${count(numbers.length)} to send to`,
    ...(duplicates > 0 ? [`${count(duplicates)} given twice, sent once`] : []),
    ...(isPlanned ? [] : [`${count(left)} left in this minute`]),
  ];
  return (
    <div>
      <Textarea
        label="Numbers"
        description="One per line, with the country code."
        placeholder="79001234567"
        rows={4}
        spellCheck={false}
        {...props}
      />
      <Group justify="space-between" mt={4}>
        <Text size="xs" c="dimmed">
          {facts.join(' · ')}
        </Text>
        {settings.wallet === 'simulated' && phone !== '' && !numbers.includes(Number(phone)) && (
          <Button size="compact-xs" variant="default" onClick={() => onChange(`${value}\n${phone}`.trim())}>
            Add the phone
          </Button>
        )}
      </Group>
      {!isPlanned && numbers.length > left && (
        <Text size="xs" mt={4}>
          That is more than is left: the service would refuse all of it. Wait for the next minute or send
          fewer.
        </Text>
      )}
    </div>
  );
}
