import { createHash } from 'node:crypto';
import { promisify } from 'node:util';

type Event = { atMs: number; run: () => unknown };

/** The planned events, the next one last. Most are planned for soon, so that few have to move when one is added. */
function createEvents() {
  const sorted: Event[] = [];
  return {
    next: (): Event | undefined => sorted.at(-1),
    add: (event: Event): void => {
      let from = 0;
      for (let to = sorted.length; from < to; ) {
        const middle = (from + to) >> 1;
        // Events at the same moment come in the order in which they were planned.
        if ((sorted[middle] as Event).atMs > event.atMs) from = middle + 1;
        else to = middle;
      }
      sorted.splice(from, 0, event);
    },
    remove: (): void => void sorted.pop(),
  };
}

const nextTurn = promisify(setImmediate);
const longestWorkMs = 3_600_000;

/**
 * Virtual time: one event happens after another, and after each, everything that follows from it without time passing.
 * An event that waits for the real table engine holds up all others, so that the order never depends on the machine.
 */
export function createTime(startMs: number) {
  let nowMs = startMs;
  let happened = 0;
  const events = createEvents();

  /** Events at the same moment happen in the order in which they were planned. */
  const at = (atMs: number, run: Event['run']): void => {
    events.add({ atMs: Math.max(nowMs, Math.round(atMs)), run });
  };
  const after = (ms: number, run: Event['run']): void => at(nowMs + ms, run);

  /** Runs work as an event after `ms`, and resolves with its result. */
  const later = <Result>(ms: number, work: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      after(ms, () => work().then(resolve, reject));
    });

  /** Runs events until `isOver`, or until none is planned up to `untilMs`. */
  const run = async (untilMs: number, isOver: () => boolean = () => false): Promise<void> => {
    await nextTurn();
    while (!isOver()) {
      const event = events.next();
      if (!event || event.atMs > untilMs) {
        nowMs = Math.max(nowMs, untilMs);
        return;
      }
      events.remove();
      nowMs = event.atMs;
      happened += 1;
      await event.run();
      await nextTurn();
    }
  };

  return {
    now: () => nowMs,
    at,
    after,
    later,
    sleep: (ms: number): Promise<void> => later(ms, async () => {}),
    run,
    /** Runs events until the work has ended. Throws if that takes longer than `longestMs`. */
    letEnd: async <Result>(work: Promise<Result>, longestMs = longestWorkMs): Promise<Result> => {
      let isOver = false;
      const end = work.finally(() => {
        isOver = true;
      });
      await run(nowMs + longestMs, () => isOver);
      if (!isOver) throw new Error(`work of the simulation has not ended within ${longestMs / 1_000} s`);
      return end;
    },
    happened: () => happened,
  };
}

/** Records everything that happens, in order. Two runs with the same hash were the same; the lines are the timeline. */
export function createEventLog(now: () => number, startMs: number, kept: boolean) {
  const hash = createHash('sha256');
  const lines: string[] = [];
  return {
    add: (text: string): void => {
      const line = `${((now() - startMs) / 1_000).toFixed(3).padStart(11)} s  ${text}`;
      hash.update(line);
      if (kept) lines.push(line);
    },
    lines: (): readonly string[] => lines,
    hash: (): string => hash.copy().digest('hex').slice(0, 16),
  };
}
