import { Group, Image, Paper, Text, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

interface Props {
  readonly sender: string;
  readonly when: string;
  readonly title: string;
  readonly message: string;
  readonly image?: string | undefined;
  /** What was done with it, or tapping does. */
  readonly note?: string;
  /** A tap; left out, it is nothing to tap. */
  readonly onTap?: (() => void) | undefined;
}

const typingMs = 500;

/** A push as a phone shows it. */
export function Notification({ sender, when, title, message, image = '', note, onTap }: Props) {
  // An address that is still typed is not asked for a picture.
  const [address] = useDebouncedValue(image, typingMs);
  const [missing, setMissing] = useState<string>();
  const shown = (
    <Paper withBorder shadow="sm" radius="lg" p="sm">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="xs" c="dimmed" truncate>
          {sender}
        </Text>
        <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
          {when}
        </Text>
      </Group>
      <Text size="sm" fw={700} style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {message}
      </Text>
      {address.startsWith('https://') && missing !== address && (
        <Image src={address} alt="" radius="md" mt="xs" mah={140} onError={() => setMissing(address)} />
      )}
      {note && (
        <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {note}
        </Text>
      )}
    </Paper>
  );
  if (!onTap) return shown;
  return (
    <UnstyledButton w="100%" onClick={onTap}>
      {shown}
    </UnstyledButton>
  );
}
