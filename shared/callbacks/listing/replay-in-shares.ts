import { isFailure } from '../../platform/http/failures.ts';
import type { Clock } from '../../platform/runtime/clock.ts';
import type { ReplayLimit } from '../limits.ts';
import type { CallbackReplay, ReplaySelection, ShardPosition } from './replay.ts';

/** A replay takes a write of about 10 ms, and ten run at once: usually 5 s of the function's 29 s. */
const mostReplayed = 5_000;
const replaysForMs = 20_000;
/** A replay takes this from the limit at a time, because what one call holds without need is not there for another. */
const shareSize = 1_000;

type Deps = { replay: Pick<CallbackReplay, 'some'>; replayLimit: ReplayLimit; clock: Clock };

/**
 * Replays at most 5,000 callbacks of a selection, as far as the partner's limit allows, or returns the failure if none
 * fits. `stoppedAt` is where the next call continues.
 */
export async function replayInShares(
  { replay, replayLimit, clock }: Deps,
  partnerId: string,
  { from, ...selection }: ReplaySelection & { from: ShardPosition | undefined },
) {
  const untilMs = clock.now() + replaysForMs;
  let replayed = 0;
  let stoppedAt = from;
  for (let left = mostReplayed; left > 0 && clock.now() <= untilMs; left -= shareSize) {
    const share = await replayLimit.take(partnerId, shareSize, clock.now());
    if (isFailure(share)) {
      if (left === mostReplayed) return share;
      break;
    }
    const part = await replay.some(partnerId, selection, { from: stoppedAt, most: share.taken, untilMs });
    await share.giveBack(share.taken - part.replayed);
    replayed += part.replayed;
    stoppedAt = part.stoppedAt;
    if (!stoppedAt) break;
  }
  return { replayed, stoppedAt };
}
