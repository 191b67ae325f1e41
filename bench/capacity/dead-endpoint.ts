import { circuitRules } from '../../shared/callbacks/circuit.ts';

/*
 * The callbacks of a partner whose endpoint never answers. They cost a timeout each until the circuit opens, then
 * a row each. Rows come due again, a few each minute, and all live under the partner's keys. One tick is 1 s.
 */

export const timeoutSeconds = 15;
/** A message that failed by our own fault comes back after the queue's visibility timeout, five times at most. */
const hiddenSeconds = 360;
const maxReceiveCount = 5;
/** ResumeCallbacks sends 50 rows of each of eight shards a minute while the circuit is open, and passes over the others. */
const resumedASecond = 400 / 60;
/** Of the index: a row is written once when it is made; it is leased, claimed and put off when it comes due. */
const unitsOfNew = 1;
const unitsOfRerun = 6;
/** How long a row waits, by how often it was put off: four times as long each time. */
const waitSeconds = [60, 240, 960, 3_840, 15_360];

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function zeros(): number[] {
  return [0, 0, 0, 0, 0];
}

/** Counts that fall due at a tick, in five kinds. */
function calendar() {
  const ticks = new Map<number, number[]>();
  return {
    add: (at: number, kind: number, count: number) => {
      const counts = ticks.get(at) ?? zeros();
      counts[kind] = (counts[kind] ?? 0) + count;
      ticks.set(at, counts);
    },
    take: (at: number): number[] => {
      const counts = ticks.get(at) ?? zeros();
      ticks.delete(at);
      return counts;
    },
  };
}

export function deadEndpoint(unitsASecond: number) {
  /** Messages by how often they failed, and reruns of rows by how often they were put off. */
  const fresh = zeros();
  const reruns = zeros();
  const dueNow = zeros();
  const hidden = calendar();
  const due = calendar();
  let hiddenCount = 0;
  let rows = 0;
  let deadLetters = 0;
  let attempted = Number.POSITIVE_INFINITY;
  let throttled = 0;

  const keep = (now: number, putOff: number, count: number) => {
    const kind = Math.min(putOff, waitSeconds.length - 1);
    rows += count;
    due.add(now + circuitRules.firstCooldownMs / 1_000 + (waitSeconds[kind] ?? 0), kind, count);
  };
  const hide = (now: number, failures: number, count: number) => {
    if (failures + 1 >= maxReceiveCount) deadLetters += count;
    else {
      hidden.add(now + hiddenSeconds, failures + 1, count);
      hiddenCount += count;
    }
  };
  /** All writes compete for the key's partition: each kind gets its share of it. */
  const defer = (now: number, share: number) => {
    const asked = share * (total(reruns) * unitsOfRerun + total(fresh) * unitsOfNew);
    const held = asked > unitsASecond ? unitsASecond / asked : 1;
    throttled = 0;
    for (const [putOff, waiting] of reruns.entries()) {
      const taken = waiting * share;
      reruns[putOff] = waiting - taken;
      keep(now, putOff + 1, taken * held);
      // What failed comes due again when the reservation of its row ends.
      keep(now, putOff, taken * (1 - held));
      throttled += taken * (1 - held);
    }
    for (const [failures, waiting] of fresh.entries()) {
      const taken = waiting * share;
      fresh[failures] = waiting - taken;
      keep(now, 0, taken * held);
      hide(now, failures, taken * (1 - held));
      throttled += taken * (1 - held);
    }
  };

  return {
    arrive: (now: number, count: number): void => {
      fresh[0] = (fresh[0] ?? 0) + count;
      for (const [failures, back] of hidden.take(now).entries()) {
        fresh[failures] = (fresh[failures] ?? 0) + back;
        hiddenCount -= back;
      }
      let room = resumedASecond;
      for (const [putOff, came] of due.take(now).entries()) {
        const waiting = (dueNow[putOff] ?? 0) + came;
        const sent = Math.min(room, waiting);
        room -= sent;
        rows -= sent;
        dueNow[putOff] = waiting - sent;
        reruns[putOff] = (reruns[putOff] ?? 0) + sent;
      }
    },
    waiting: (): number => total(fresh) + total(reruns),
    /** Opens when the first attempts have timed out; its few probes are not followed. */
    circuitIsOpen: (now: number): boolean => now >= attempted + timeoutSeconds,
    /** Workers receive so many of the waiting messages. */
    receive: (now: number, count: number): void => {
      const share = Math.min(1, count / Math.max(1, total(fresh) + total(reruns)));
      if (now >= attempted + timeoutSeconds) {
        defer(now, share);
        return;
      }
      attempted = Math.min(attempted, now);
      for (const [failures, waiting] of fresh.entries()) {
        fresh[failures] = waiting * (1 - share);
        keep(now + timeoutSeconds, 0, waiting * share);
      }
    },
    seen: () => ({ hidden: hiddenCount, rows, deadLetters, throttled }),
  };
}

export type DeadEndpoint = ReturnType<typeof deadEndpoint>;
