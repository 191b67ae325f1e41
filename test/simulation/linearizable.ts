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

/** Many times what the history of a run needs; one without an order could take hours. */
const stepsAtMost = 20_000;

/**
 * Searches an order of the operations that one at a time could have had, in which each takes effect between its
 * start and its end (Wing and Gong). It goes on from no set of operations and state that it has seen (Lowe), nor from
 * one in which, besides, more uncertain operations are used up, and gives up after so many steps. An operation that
 * starts at the moment another ends comes after it. When there is no order: how many operations the longest one found
 * has, and those of which none can come next.
 */
export function checkHistory<State, Call>(
  operations: readonly Operation<Call>[],
  { initial, lateMs, next }: Specification<State, Call>,
): { readonly after: number; readonly stuck: readonly Operation<Call>[] } | undefined {
  const certain = operations.filter(({ isCertain }) => isCertain);
  const uncertain = operations.filter(({ isCertain }) => !isCertain);
  const done = new Set<Operation<Call>>();
  /** Which uncertain operations were left, by the certain ones that were left and the state. */
  const seen = new Map<string, bigint[]>();
  let steps = 0;
  let deepest: { after: number; stuck: readonly Operation<Call>[] } = { after: -1, stuck: [] };

  const search = (state: State, latestStart: number): boolean => {
    const left = certain.filter((one) => !done.has(one));
    if (left.length === 0) return true;
    const lost = uncertain.filter((one) => !done.has(one) && one.endedAt + lateMs > latestStart);
    steps += 1;
    if (steps > stepsAtMost) return false;
    const key = `${left.map((one) => certain.indexOf(one))} ${JSON.stringify(state)}`;
    const bits = lost.reduce((sum, one) => sum | (1n << BigInt(uncertain.indexOf(one))), 0n);
    const before = seen.get(key) ?? [];
    if (before.some((more) => (more & bits) === bits)) return false;
    seen.set(key, [...before, bits]);

    const firstEnd = Math.min(...left.map(({ endedAt }) => endedAt));
    // Those before whose start no other had to take effect; few uncertain ones are needed.
    const possible = [...left, ...lost].filter(({ startedAt }) => startedAt < firstEnd);
    const after = certain.length - left.length;
    if (after > deepest.after) deepest = { after, stuck: possible };
    const take = (one: Operation<Call>, following: State): boolean => {
      done.add(one);
      const found = search(following, Math.max(latestStart, one.startedAt));
      done.delete(one);
      return found;
    };
    return possible.some((one) => next(state, one).some((following) => take(one, following)));
  };

  return search(initial, Number.NEGATIVE_INFINITY) ? undefined : deepest;
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
