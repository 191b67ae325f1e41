import { days } from '../../platform/runtime/clock.ts';
import { formatIssues } from '../../platform/validation/format-issues.ts';
import type { PushContent } from '../sending/push-content.ts';

const mostAheadMs = days(30);

/** Until when the message may be shown (rule 42), ms; `undefined`: it never expires. */
export function deadlineOf({ qos }: PushContent): number | undefined {
  return qos?.deliverDue === undefined ? undefined : Date.parse(qos.deliverDue);
}

/** From its deadline on a message is not handed over. */
export function isOver(content: PushContent, nowMs: number): boolean {
  const deadline = deadlineOf(content);
  return deadline !== undefined && deadline <= nowMs;
}

/** The earliest deadline of a send, of its registered recipients. `contents`: one for all, or one for each. */
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

/** The sentences of a request whose deadlines cannot be kept. `each`: the request is an array of contents. */
export function deadlineErrors(
  contents: readonly PushContent[],
  { nowMs, each = false }: { nowMs: number; each?: boolean },
): string[] {
  const issues = contents.flatMap((content, n) => {
    const aheadMs = (deadlineOf(content) ?? nowMs + 1) - nowMs;
    if (aheadMs > 0 && aheadMs <= mostAheadMs) return [];
    const message = aheadMs > 0 ? 'must be at most 30 days ahead' : 'must be in the future';
    return [{ path: [...(each ? [n] : []), 'qos', 'deliverDue'], message }];
  });
  return issues.length === 0 ? [] : formatIssues({ issues });
}
