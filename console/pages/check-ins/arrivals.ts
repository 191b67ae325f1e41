import { localTime } from '../../parts/time.tsx';

type CheckIn = { readonly checkinNumber: number };

/** A check-in came between these two reads of the list. `afterMs` is absent if the first read already had it. */
type Arrival = { readonly afterMs?: number | undefined; readonly beforeMs: number };

/** Estimates when check-ins came. The service does not say, but the console reads the list every two seconds. */
export class Arrivals {
  readonly #arrivals = new Map<number, Arrival>();
  #readAtMs: number | undefined;

  read(checkIns: readonly CheckIn[], readAtMs: number): void {
    // The time is 0 until the list has been read for the first time.
    if (readAtMs === 0 || readAtMs === this.#readAtMs) return;
    const arrival = { afterMs: this.#readAtMs, beforeMs: readAtMs };
    for (const { checkinNumber } of checkIns) {
      if (!this.#arrivals.has(checkinNumber)) this.#arrivals.set(checkinNumber, arrival);
    }
    this.#readAtMs = readAtMs;
  }

  /** `15:04:05 UTC+3`, `before 15:04:05 UTC+3`, or after an interruption `between` two times. */
  of({ checkinNumber }: CheckIn, timeOf = timeOfDay): string {
    const { afterMs, beforeMs } = this.#arrivals.get(checkinNumber) ?? {};
    if (beforeMs === undefined) return 'just now';
    if (afterMs === undefined) return `before ${timeOf(beforeMs)}`;
    if (beforeMs - afterMs <= exactWithinMs) return timeOf(beforeMs);
    return `between ${timeOf(afterMs)} and ${timeOf(beforeMs)}`;
  }
}

const exactWithinMs = 10_000;

function timeOfDay(ms: number): string {
  return localTime(new Date(ms), {});
}
