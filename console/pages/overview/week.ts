import type { ResponseTo } from '../../api/operations.ts';

type Page = ResponseTo<'GET /push'>;
type Send = Page['sends'][number];

/**
 * The sends of the last seven days here, by the day of the request, today last. If the newest page of the list begins
 * within these days, `since` is the time of its oldest send, and the days before are left out.
 */
export function weekOf({ sends, cursor }: Page, now: Date) {
  const today = dayOf(now);
  const week = [6, 5, 4, 3, 2, 1, 0].map((ago) => daysBefore(today, ago));
  const oldest = sends.at(-1)?.acceptedAt;
  const since = cursor && oldest && new Date(oldest) >= daysBefore(today, 6) ? oldest : undefined;
  const shown = week.filter((day) => since === undefined || day >= dayOf(new Date(since)));
  const byDay = Map.groupBy(sends, ({ acceptedAt }) => dayOf(new Date(acceptedAt)).getTime());
  const days = shown.map((day) => {
    const counted = (byDay.get(day.getTime()) ?? []).filter((send) => !isTakenBackInTime(send));
    return {
      day,
      sends: counted.length,
      recipients: counted.reduce((sum, { recipients }) => sum + recipients, 0),
    };
  });
  return { days, since };
}

function dayOf(time: Date): Date {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate());
}

function daysBefore(day: Date, days: number): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - days);
}

/** A send that was taken back before its time has reached nobody. */
function isTakenBackInTime({ deliverFrom, cancelledAt }: Send): boolean {
  return deliverFrom !== undefined && cancelledAt !== undefined && cancelledAt < deliverFrom;
}
