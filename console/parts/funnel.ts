import type { ResponseTo } from '../api/operations.ts';
import { count } from './figures.tsx';

export type Report = ResponseTo<'GET /push/{messageId}/report'>;

/** How far the messages of a send got, with the share in percent. One that was opened counts as delivered, too. */
export function stagesOf(report: Report) {
  const { recipients, delivered, opened, expired, cancelled } = report;
  const stage = (name: string, reached: number) => ({
    name,
    share: (100 * reached) / recipients,
    text: `${count(reached)} · ${percent(reached, recipients)}`,
  });
  return [
    { ...stage('Recipients', recipients), text: count(recipients) },
    stage('Registered', registeredOf(report)),
    stage('Delivered', delivered + opened),
    stage('Opened', opened),
    ...(expired > 0 ? [stage('Expired', expired)] : []),
    ...(cancelled > 0 ? [stage('Taken back', cancelled)] : []),
  ];
}

export function registeredOf({ recipients, notRegistered, erased }: Report): number {
  return recipients - notRegistered - erased;
}

/** How many messages can still be taken back. */
export function unopenedOf({ scheduled, enqueued, delivered }: Report): number {
  return scheduled + enqueued + delivered;
}

/** `75` -> `75 s`, `600` -> `10 min`, `7_200` -> `2 h`. */
export function durationOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

const hourMs = 3_600_000;

/** Each hour of the whole days since a send was handed over, up to its last delivery or opening. None without any. */
export function hoursOf({ byHour, acceptedAt, deliverFrom }: Times & Pick<Report, 'byHour'>) {
  const last = byHour.at(-1);
  if (!last) return [];
  const firstMs = Math.floor(Date.parse(deliverFrom ?? acceptedAt) / hourMs) * hourMs;
  const hours = 1 + (Date.parse(last.hour) - firstMs) / hourMs;
  return Array.from({ length: 24 * Math.ceil(hours / 24) }, (_, n) => {
    const at = new Date(firstMs + n * hourMs);
    const { delivered = 0, opened = 0 } = byHour.find(({ hour }) => Date.parse(hour) === at.getTime()) ?? {};
    return { at, delivered, opened };
  });
}

/** Whole percents, of which only nothing is 0 % and only all is 100 %. */
export function percent(part: number, whole: number): string {
  if (part === 0) return '0 %';
  if (part === whole) return '100 %';
  const rounded = Math.round((100 * part) / whole);
  if (rounded === 0) return 'under 1 %';
  return rounded === 100 ? 'over 99 %' : `${rounded} %`;
}

/** Whether no message of the send can change its state any more: an expired one can still be reported as shown. */
export function isFinal({ scheduled, enqueued, delivered, expired }: Report): boolean {
  return scheduled + enqueued + delivered + expired === 0;
}

const soonestMs = 15_000;

type Times = Pick<Report, 'acceptedAt' | 'deliverFrom' | 'cancelledAt'>;

/**
 * How long a report stays fresh: a tenth of the time since its send was accepted, released or taken back, since states
 * come ever more slowly. That of a planned send stays fresh until its time.
 */
export function freshMs({ acceptedAt, deliverFrom, cancelledAt }: Times, nowMs = Date.now()): number {
  const ageMs = nowMs - Date.parse(cancelledAt ?? deliverFrom ?? acceptedAt);
  return Math.max(soonestMs, ageMs < 0 ? -ageMs : ageMs / 10);
}
