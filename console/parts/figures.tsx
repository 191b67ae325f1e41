import { Stack } from '@mantine/core';

/** A time on the clock of this computer, with its zone: `22 Nov 2026, 10:15:00 UTC+3`. */
export function localTime(date: Date, also: Intl.DateTimeFormatOptions = { dateStyle: 'medium' }): string {
  return date.toLocaleString('en-GB', { timeStyle: 'long', ...also }).replace('GMT', 'UTC');
}

/** The zone of this computer at a time: `UTC+3`. */
export function zoneAt(date: Date): string | undefined {
  return localTime(date).split(' ').at(-1);
}

export function Time({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={date.toISOString()}>
      {localTime(date)}
    </time>
  );
}

/** Shows the dates on which the secrets were made. */
export function SecretDates({ secrets }: { secrets: readonly { createdAt: string }[] }) {
  return (
    <Stack gap={2}>
      {secrets.map(({ createdAt }) => (
        <Time key={createdAt} at={createdAt} />
      ))}
    </Stack>
  );
}

const whole = new Intl.NumberFormat('en-GB');

/** `12345` -> `12,345`, with a noun `1 recipient` or `12,345 recipients`. Every number of things on a page is written by it. */
export function count(value: number, noun?: string): string {
  const number = whole.format(value);
  return noun === undefined ? number : `${number} ${noun}${value === 1 ? '' : 's'}`;
}
