import { Stack } from '@mantine/core';

export function Time({ at }: { readonly at: string }) {
  const date = new Date(at);
  const text = date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
  return (
    <time dateTime={date.toISOString()} title={date.toISOString()}>
      {text}
    </time>
  );
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
const relative = new Intl.RelativeTimeFormat('en-GB');

export function ageOf(at: string, nowMs = Date.now()): string {
  const ageMs = nowMs - Date.parse(at);
  const [unit, unitMs] = units.find(([, ms]) => ageMs >= ms) ?? [];
  return unit ? relative.format(-Math.floor(ageMs / unitMs), unit) : 'just now';
}

export function SecretAges({ secrets }: { secrets: readonly { createdAt: string }[] }) {
  return (
    <Stack gap={2} style={{ whiteSpace: 'nowrap' }}>
      {secrets.map(({ createdAt }) => (
        <time key={createdAt} dateTime={createdAt} title={createdAt}>
          made {ageOf(createdAt)}
        </time>
      ))}
    </Stack>
  );
}
