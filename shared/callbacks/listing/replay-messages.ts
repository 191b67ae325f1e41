import { isFailure } from '../../platform/http/failures.ts';
import { type Clock, clocksDifferMs } from '../../platform/runtime/clock.ts';
import type { ReplayLimit } from '../limits.ts';
import type { CallbackReplay } from './replay.ts';

/** A request says who asks, and whether an equal one died before. */
export type ReplayCall = {
  partnerId: string;
  repeatOf: string | undefined;
  operationBeganAt: number | undefined;
};

type Deps = { replay: CallbackReplay; replayLimit: ReplayLimit; clock: Clock };

/**
 * Replays the callbacks of messages as far as the partner's limit allows, or returns the failure if none fits. A message
 * counts as one callback at least, so that lookups are limited too. It is replayed with all its callbacks or not at all,
 * so that its id says what is missing. A repetition of a request that died leaves alone what that request may have
 * replayed, which was delivered since.
 */
export async function replayMessages(
  { replay, replayLimit, clock }: Deps,
  { partnerId, repeatOf, operationBeganAt = 0 }: ReplayCall,
  messageIds: readonly string[],
) {
  const replayedBefore = repeatOf === undefined ? Infinity : operationBeganAt - clocksDifferMs;
  const share = await replayLimit.take(partnerId, messageIds.length, clock.now());
  if (isFailure(share)) return share;
  const asked = messageIds.slice(0, share.taken);
  const kept = Map.groupBy(await replay.kept(partnerId, asked), ({ messageId }) => messageId);
  const messages = asked.map((messageId) => {
    const rows = kept.get(messageId) ?? [];
    const replayable = rows.filter(
      ({ status, replayedAt = 0 }) => status !== 'waiting' && replayedAt < replayedBefore,
    );
    return { messageId, rows: replayable, isFound: rows.length > 0, count: Math.max(1, replayable.length) };
  });
  const others = messages.reduce((sum, { count }) => sum + count - 1, 0);
  const extra = await replayLimit.take(partnerId, others, clock.now());
  let left = share.taken + (isFailure(extra) ? 0 : extra.taken);
  const fitting = messages.filter(({ count }) => {
    const fits = count <= left;
    if (fits) left -= count;
    return fits;
  });
  await share.giveBack(left);
  if (fitting.length === 0 && asked.length > 0) return share.exceeded;
  const done = new Set(fitting.map(({ messageId }) => messageId));
  const replayed = await replay.these(
    partnerId,
    fitting.flatMap(({ rows }) => rows),
  );
  return {
    replayed,
    notFound: fitting.filter(({ isFound }) => !isFound).map(({ messageId }) => messageId),
    notReplayed: messageIds.filter((messageId) => !done.has(messageId)),
  };
}
