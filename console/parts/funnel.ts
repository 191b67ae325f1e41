import type { ResponseTo } from '../api/operations.ts';
import { count } from './count.ts';

export type Report = ResponseTo<'GET /push/{messageId}/report'>;

/** How far the messages of a send got, with the share in percent. One that was opened counts as delivered, too. */
export function stagesOf({ recipients, notRegistered, erased, delivered, opened, expired }: Report) {
  const stage = (name: string, reached: number) => ({
    name,
    share: (100 * reached) / recipients,
    text: `${count(reached)} · ${percent(reached, recipients)}`,
  });
  return [
    { ...stage('Recipients', recipients), text: count(recipients) },
    stage('Registered', recipients - notRegistered - erased),
    stage('Delivered', delivered + opened),
    stage('Opened', opened),
    ...(expired > 0 ? [stage('Expired', expired)] : []),
  ];
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

/** How long a report stays fresh: a tenth of the age of its send, since states come ever more slowly. */
export function freshMs(acceptedAt: string, nowMs = Date.now()): number {
  return Math.max(soonestMs, (nowMs - Date.parse(acceptedAt)) / 10);
}
