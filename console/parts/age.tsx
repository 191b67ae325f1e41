import { Stack } from '@mantine/core';

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
const relative = new Intl.RelativeTimeFormat('en-GB');

/** `3 days ago`. */
export function ageOf(at: string, nowMs = Date.now()): string {
  const ageMs = nowMs - Date.parse(at);
  const [unit, unitMs] = units.find(([, ms]) => ageMs >= ms) ?? [];
  return unit ? relative.format(-Math.floor(ageMs / unitMs), unit) : 'just now';
}

/** How long ago something was, exact on hover. */
function Age({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {ageOf(at)}
    </time>
  );
}

/** When the one or two secrets of something were made. */
export function SecretAges({ secrets }: { readonly secrets: readonly { readonly createdAt: string }[] }) {
  return (
    <Stack gap={2} style={{ whiteSpace: 'nowrap' }}>
      {secrets.map(({ createdAt }) => (
        <span key={createdAt}>
          made <Age at={createdAt} />
        </span>
      ))}
    </Stack>
  );
}
