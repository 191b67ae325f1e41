import { Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import { settings } from '../../api/settings.ts';
import { count } from '../../parts/figures.tsx';
import { usePhoneNumber } from '../../parts/phone.tsx';
import { useSession } from '../../session/session.tsx';
import { lengthOf, limits, type Recipients } from './draft.ts';

/** The value that a field has now, or the event that has it. */
export type Given = string | { currentTarget: { value: string } };
type FieldProps = { value: string; error: string | undefined; onChange: (given: Given) => void };
type CountedProps = FieldProps & {
  label: string;
  name: keyof typeof limits;
  placeholder?: string;
  rows?: number;
};

export function Counted({ rows, ...props }: CountedProps) {
  const description = `${count(lengthOf(props.value))} of ${count(limits[props.name])} characters`;
  const field = { ...props, description, autoComplete: 'off' };
  return rows ? <Textarea {...field} rows={rows} /> : <TextInput {...field} />;
}

type NumbersProps = FieldProps & { recipients: Recipients; isPlanned: boolean };

export function NumbersField({ recipients, isPlanned, ...props }: NumbersProps) {
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
