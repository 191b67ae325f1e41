type CheckIn = { readonly checkinNumber: number };

/** Between which two reads of the list a check-in came; `afterMs` is absent for those in the first one. */
type Arrival = { readonly afterMs?: number | undefined; readonly beforeMs: number };

/**
 * When check-ins came, as far as a till can tell: the service does not say, but the list is read every two seconds.
 * Until its first read a list is from the time 0.
 */
export class Arrivals {
  readonly #arrivals = new Map<number, Arrival>();
  #readAtMs: number | undefined;

  read(checkIns: readonly CheckIn[], readAtMs: number): void {
    if (readAtMs === 0 || readAtMs === this.#readAtMs) return;
    const arrival = { afterMs: this.#readAtMs, beforeMs: readAtMs };
    for (const { checkinNumber } of checkIns) {
      if (!this.#arrivals.has(checkinNumber)) this.#arrivals.set(checkinNumber, arrival);
    }
    this.#readAtMs = readAtMs;
  }

  /** `15:04:05`, `before 15:04:05`, or `between 15:04:05 and 15:20:00` after a time without the list. */
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
  return new Date(ms).toLocaleTimeString('en-GB');
}
