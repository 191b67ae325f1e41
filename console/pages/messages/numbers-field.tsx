import { Button, Group, Text, Textarea } from '@mantine/core';
import { settings } from '../../api/settings.ts';
import { usePhoneNumber } from '../../parts/phone/sandbox-phone.tsx';
import { useSession } from '../../session/session.tsx';
import type { Recipients } from './recipients.ts';

interface Props {
  readonly value: string;
  readonly recipients: Recipients;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

export function NumbersField({ value, recipients, problem, onChange }: Props) {
  const { rate, key } = useSession();
  const [phone] = usePhoneNumber();
  const { numbers, duplicates } = recipients;
  const left = rate?.remaining ?? key.limits.pushesPerMinute;
  const facts = [
    `${count(numbers.length)} to send to`,
    ...(duplicates > 0 ? [`${count(duplicates)} given twice, sent once`] : []),
    `${count(left)} left in this minute`,
  ];
  return (
    <div>
      <Textarea
        label="Numbers"
        description="One per line, with the country code."
        placeholder="79001234567"
        rows={4}
        spellCheck={false}
        value={value}
        error={problem}
        onChange={(event) => onChange(event.currentTarget.value)}
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
      {numbers.length > left && (
        <Text size="xs" mt={4}>
          That is more than is left: the service would refuse all of it. Wait for the next minute or send
          fewer.
        </Text>
      )}
    </div>
  );
}

function count(value: number): string {
  return value.toLocaleString('en-GB');
}
