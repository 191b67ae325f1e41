import { days } from '../../platform/runtime/clock.ts';
import { formatIssues, type Issue } from '../../platform/validation/format-issues.ts';
import { readMoment } from '../../platform/validation/moment.ts';
import type { PushContent } from '../sending/push-content.ts';

const mostAheadMs = days(30);

/** The message may be shown until this time, ms (rule 42). A message without a deadline never expires. */
export function deadlineOf({ qos }: PushContent): number | undefined {
  return qos?.deliverDue === undefined ? undefined : Date.parse(qos.deliverDue);
}

/** Whether the deadline has passed, so that the message is not handed over any more. */
export function isOver(content: PushContent, nowMs: number): boolean {
  const deadline = deadlineOf(content);
  return deadline !== undefined && deadline <= nowMs;
}

/** The earliest deadline of the registered recipients of a send. `contents` is one for all, or one for each. */
export function firstDeadline(
  recipients: readonly { registered: boolean }[],
  contents: readonly PushContent[],
): number | undefined {
  const deadlines = contents.map(deadlineOf);
  if (deadlines.every((deadline) => deadline === undefined)) return undefined;
  const kept = recipients.flatMap(({ registered }, n) =>
    registered ? (deadlines[deadlines.length === 1 ? 0 : n] ?? []) : [],
  );
  return kept.length === 0 ? undefined : Math.min(...kept);
}

/** The issues of deadlines that can be read but not kept. `body` is one content, or an array of them. */
export function deadlineIssues(body: unknown, nowMs: number): Issue[] {
  return Array.isArray(body)
    ? body.flatMap((content, n) => contentIssues(content, [n], nowMs))
    : contentIssues(body, [], nowMs);
}

function contentIssues(content: unknown, at: readonly number[], nowMs: number): Issue[] {
  const { deliverDue } = Object(Object(content).qos);
  const moment = typeof deliverDue === 'string' ? readMoment(deliverDue) : undefined;
  if (typeof moment !== 'object') return [];
  const aheadMs = moment.ms - nowMs;
  if (aheadMs > 0 && aheadMs <= mostAheadMs) return [];
  const message = aheadMs > 0 ? 'must be at most 30 days ahead' : 'must be in the future';
  return [{ path: [...at, 'qos', 'deliverDue'], message }];
}

export function deadlineErrors(body: unknown, nowMs: number): string[] {
  return formatIssues({ issues: deadlineIssues(body, nowMs) });
}
