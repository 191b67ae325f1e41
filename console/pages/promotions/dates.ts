const shape = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2}))?(.*)$/;

/** Splits `2026-06-01T00:00:00+03` into `2026-06-01T00:00`, the format of an input, and `+03`. */
export function splitDate(text: string) {
  const [, day = '', minute = '', second = '00', offset = ''] = shape.exec(text) ?? [];
  const local = day && `${day}T${minute}${second === '00' ? '' : `:${second}`}`;
  return { local, offset: offset === 'Z' ? '+00' : offset };
}

/** The same moment on the clock of another offset. */
export function inOffset(text: string, offset: string): string {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  const minutesEast = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const { local, offset: own } = splitDate(text);
  const ms = Date.parse(`${local.padEnd(19, ':00')}${own.length === 3 ? `${own}:00` : own}`);
  return splitDate(`${new Date(ms + minutesEast * 60_000).toISOString().slice(0, 19)}${offset}`).local;
}

export function joinDate(local: string, offset: string): string {
  return `${local.length === 16 ? `${local}:00` : local}${offset}`;
}

/** Shows a date in its own time zone: `1 Jun 2026, 00:00 UTC+03`. */
export function shownDate(text: string | null): string {
  if (text === null) return 'no end';
  const { local, offset } = splitDate(text);
  const date = new Date(`${local}Z`);
  const day = date.toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
  return `${day}, ${local.slice(11)} UTC${offset}`;
}

const cities =
  '+00 UTC, +02 Kaliningrad, +03 Moscow, +04 Samara, +05 Yekaterinburg, +06 Omsk, +07 Novosibirsk, ' +
  '+08 Irkutsk, +09 Yakutsk, +10 Vladivostok, +11 Magadan, +12 Kamchatka';
export const zones = cities.split(', ').map((city) => ({ value: city.slice(0, 3), label: `UTC${city}` }));
