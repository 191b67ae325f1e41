import { days } from '../../platform/runtime/clock.ts';
import type { Issue } from '../../platform/validation/format-issues.ts';
import { readMoment } from '../../platform/validation/moment.ts';
import { mostScheduledAheadMs } from '../hand-over.ts';
import type { PushContent } from '../sending/push-content.ts';

/** How far ahead a time of a send may be. */
const mostAhead = {
  deliverFrom: { ms: mostScheduledAheadMs, days: 7 },
  deliverDue: { ms: days(30), days: 30 },
} as const;

/** The message may be shown until this time, ms (rule 42). A message without a deadline never expires. */
export function deadlineOf({ qos }: PushContent): number | undefined {
  return qos?.deliverDue === undefined ? undefined : Date.parse(qos.deliverDue);
}

/** The message waits for this time, ms (rule 54). A message without one is handed over at once. */
export function deliverFromOf({ qos }: PushContent): number | undefined {
  return qos?.deliverFrom === undefined ? undefined : Date.parse(qos.deliverFrom);
}

/** The earliest deadline of contents; `undefined` if none of them has one. */
export function earliestDeadline(contents: readonly PushContent[]): number | undefined {
  return earliest(contents.flatMap((content) => deadlineOf(content) ?? []));
}

export function earliest(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The issues of times that can be read but not kept. `body` is one content, or an array of them. */
export function timeIssues(body: unknown, nowMs: number): Issue[] {
  if (!Array.isArray(body)) return issuesOf(body, [], nowMs);
  const first = momentIn(body[0], 'deliverFrom');
  return body.flatMap((content, n) => [
    ...issuesOf(content, [n], nowMs),
    ...(momentIn(content, 'deliverFrom') === first ? [] : [issue([n], 'deliverFrom', notAgreed)]),
  ]);
}

const notAgreed = 'must be the same in all messages, or in none';

function issuesOf(content: unknown, at: readonly number[], nowMs: number): Issue[] {
  const issues = (['deliverFrom', 'deliverDue'] as const).flatMap((name) => {
    const moment = momentIn(content, name);
    if (moment === undefined) return [];
    if (moment <= nowMs) return [issue(at, name, 'must be in the future')];
    const most = mostAhead[name];
    return moment - nowMs > most.ms ? [issue(at, name, `must be at most ${most.days} days ahead`)] : [];
  });
  const from = momentIn(content, 'deliverFrom');
  const due = momentIn(content, 'deliverDue');
  const isLate = issues.length === 0 && from !== undefined && due !== undefined && from >= due;
  return isLate ? [issue(at, 'deliverFrom', 'must be before deliverDue')] : issues;
}

type Time = keyof typeof mostAhead;

/** A time that can be read, ms. Another one has its issue from the schema. */
function momentIn(content: unknown, name: Time): number | undefined {
  const text = Object(Object(content).qos)[name];
  const moment = typeof text === 'string' ? readMoment(text) : undefined;
  return typeof moment === 'object' ? moment.ms : undefined;
}

function issue(at: readonly number[], name: Time, message: string): Issue {
  return { path: [...at, 'qos', name], message };
}
