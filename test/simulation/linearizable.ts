/** What a client did and was told. An uncertain one takes effect at the latest `lateMs` after its end, or never. */
export interface Operation<Call> {
  readonly call: Call;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly isCertain: boolean;
}

/** What would happen if there were one operation at a time. */
export interface Specification<State, Call> {
  readonly initial: State;
  readonly lateMs: number;
  /** The states after an operation was answered as it was; none when `state` does not allow that. */
  readonly next: (state: State, operation: Operation<Call>) => readonly State[];
}

/**
 * Searches an order of the operations that one at a time could have had, in which each takes effect between its
 * start and its end (Wing and Gong), and visits no set of operations twice in the same state (Lowe). An operation
 * that starts at the moment another ends comes after it. When there is no order: how many the longest one found
 * has, and the operations of which none can come next.
 */
export function checkHistory<State, Call>(
  operations: readonly Operation<Call>[],
  { initial, lateMs, next }: Specification<State, Call>,
): { readonly after: number; readonly stuck: readonly Operation<Call>[] } | undefined {
  const certain = operations.filter(({ isCertain }) => isCertain).length;
  const done = new Set<Operation<Call>>();
  const visited = new Set<string>();
  let deepest: { after: number; stuck: readonly Operation<Call>[] } = { after: -1, stuck: [] };

  /** Those before whose start no other had to take effect. */
  const candidates = (latestStart: number) => {
    const left = operations.filter((one) => !done.has(one));
    const firstEnd = Math.min(...left.map(({ isCertain, endedAt }) => (isCertain ? endedAt : Infinity)));
    return left.filter(
      ({ startedAt, endedAt, isCertain }) =>
        startedAt < firstEnd && (isCertain || endedAt + lateMs > latestStart),
    );
  };

  const search = (state: State, after: number, latestStart: number): boolean => {
    if (after === certain) return true;
    const key = `${operations.map((one) => Number(done.has(one))).join('')} ${JSON.stringify(state)}`;
    if (visited.has(key)) return false;
    visited.add(key);
    const possible = candidates(latestStart);
    if (after > deepest.after) deepest = { after, stuck: possible };
    return possible.some((one) => {
      done.add(one);
      const found = next(state, one).some((following) =>
        search(following, after + Number(one.isCertain), Math.max(latestStart, one.startedAt)),
      );
      done.delete(one);
      return found;
    });
  };

  return search(initial, 0, -Infinity) ? undefined : deepest;
}

/** A sentence about a history that no order explains. */
export function contradictions<State, Call>(
  of: string,
  history: readonly Operation<Call>[],
  specification: Specification<State, Call>,
): string[] {
  const found = checkHistory(history, specification);
  const stuck = found?.stuck.map(({ call, startedAt }) => JSON.stringify({ startedAt, ...call }));
  return found ? [`${of}: after ${found.after} none of ${stuck}`] : [];
}
