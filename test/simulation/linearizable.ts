/** What a client did and was told. An uncertain one took effect before it ended, or never. */
export interface Operation<Call> {
  readonly call: Call;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly isCertain: boolean;
}

/** What would happen if there were one operation at a time. */
export interface Specification<State, Call> {
  readonly initial: State;
  /** The states after `call` was answered as it was; none when `state` does not allow that. */
  readonly next: (state: State, call: Call) => readonly State[];
}

export type Verdict<Call> =
  | { readonly isLinearizable: true }
  /** The longest order found, and the operations of which none can come next. */
  | { readonly isLinearizable: false; readonly after: number; readonly stuck: readonly Operation<Call>[] };

/**
 * Searches an order of the operations that one at a time could have had, in which each takes effect between its
 * start and its end (Wing and Gong), and visits no set of operations twice in the same state (Lowe). An operation
 * that starts at the moment another ends comes after it.
 */
export function checkHistory<State, Call>(
  history: readonly Operation<Call>[],
  { initial, next }: Specification<State, Call>,
): Verdict<Call> {
  const operations = [...history].sort((a, b) => a.startedAt - b.startedAt);
  const certain = operations.filter(({ isCertain }) => isCertain).length;
  const done = operations.map(() => false);
  const visited = new Set<string>();
  let deepest: { after: number; stuck: readonly Operation<Call>[] } = { after: -1, stuck: [] };

  /** Those before whose start no other had to take effect. */
  const candidates = (latestStart: number): number[] => {
    const found: number[] = [];
    let firstEnd = Number.POSITIVE_INFINITY;
    for (const [n, { startedAt, endedAt, isCertain }] of operations.entries()) {
      if (startedAt >= firstEnd) break;
      if (done[n]) continue;
      if (isCertain) firstEnd = Math.min(firstEnd, endedAt);
      if (isCertain || endedAt > latestStart) found.push(n);
    }
    return found.filter((n) => (operations[n] as Operation<Call>).startedAt < firstEnd);
  };

  const search = (state: State, ordered: number, latestStart: number): boolean => {
    if (ordered === certain) return true;
    const key = `${done.map(Number).join('')} ${JSON.stringify(state)}`;
    if (visited.has(key)) return false;
    visited.add(key);
    const possible = candidates(latestStart);
    if (ordered > deepest.after)
      deepest = { after: ordered, stuck: possible.map((n) => operations[n] as Operation<Call>) };
    return possible.some((n) => {
      const { call, startedAt, isCertain } = operations[n] as Operation<Call>;
      done[n] = true;
      const found = next(state, call).some((after) =>
        search(after, ordered + (isCertain ? 1 : 0), Math.max(latestStart, startedAt)),
      );
      done[n] = false;
      return found;
    });
  };

  return search(initial, 0, Number.NEGATIVE_INFINITY)
    ? { isLinearizable: true }
    : { isLinearizable: false, ...deepest };
}
