/** What happens at a moment of virtual time. Events at the same moment happen in the order they were planned. */
interface Event {
  readonly atMs: number;
  readonly run: () => void | Promise<void>;
}

export interface Planned {
  cancel(): void;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * Virtual time: one event after another, and after each everything that follows from it without time passing. An
 * event that waits for the real table engine holds up all others, so that the order never depends on the machine.
 */
export function createTime(startMs: number) {
  let nowMs = startMs;
  let happened = 0;
  const events: Event[] = [];

  const at = (atMs: number, run: Event['run']): Planned => {
    const event = { atMs: Math.max(nowMs, Math.round(atMs)), run };
    events.splice(events.findLastIndex((one) => one.atMs <= event.atMs) + 1, 0, event);
    return {
      cancel: () => {
        if (events.includes(event)) events.splice(events.indexOf(event), 1);
      },
    };
  };
  const after = (ms: number, run: Event['run']): Planned => at(nowMs + ms, run);

  return {
    now: () => nowMs,
    at,
    after,
    sleep: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        after(ms, resolve);
      }),
    /** Lets events happen until `isOver`, or until none is planned up to `untilMs`. */
    run: async (untilMs: number, isOver: () => boolean = () => false): Promise<void> => {
      await nextTurn();
      while (!isOver()) {
        const [event] = events;
        if (!event || event.atMs > untilMs) {
          nowMs = Math.max(nowMs, untilMs);
          return;
        }
        events.shift();
        nowMs = event.atMs;
        happened += 1;
        await event.run();
        await nextTurn();
      }
    },
    /** How many events have happened. */
    happened: () => happened,
  };
}

export type Time = ReturnType<typeof createTime>;
