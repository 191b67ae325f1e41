import * as z from 'zod/mini';
import { dateTime, localTime, type Moment } from '../platform/validation/moment.ts';

/** Promotions begin and end at full seconds, as they are shown. */
export const PromotionDate = dateTime(
  ({ ms, ...moment }): Moment => ({ ...moment, ms: Math.floor(ms / 1_000) * 1_000 }),
).register(z.globalRegistry, {
  description: 'ISO 8601 date and time with an offset: +03, +0300, +03:00 or Z',
  example: '2026-06-01T00:00:00+03',
});

/**
 * `yyyy-MM-ddTHH:mm:ss+HH`, to the second. Half-hour zones cannot be written in hours only: they become `+05:30`,
 * since a wrong moment would be worse than a longer offset.
 */
export function writeDate({ ms, offsetMinutes }: Moment): string {
  const hours = Math.floor(Math.abs(offsetMinutes) / 60);
  const minutes = Math.abs(offsetMinutes) % 60;
  const sign = offsetMinutes < 0 ? '-' : '+';
  const offset = `${sign}${twoDigits(hours)}${minutes === 0 ? '' : `:${twoDigits(minutes)}`}`;
  return `${localTime(ms + offsetMinutes * 60_000)}${offset}`;
}

function twoDigits(n: number): string {
  return String(n).padStart(2, '0');
}
