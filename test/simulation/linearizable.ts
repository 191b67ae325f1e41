/** An operation of a client and its result. If uncertain, it takes effect at most `lateMs` after its end, or never. */
export type Operation<Call> = {
  call: Call;
  startedAt: number;
  endedAt: number;
  isCertain: boolean;
};

/** The rules of a system that runs one operation at a time. */
export type Specification<State, Call> = {
  initial: State;
  lateMs: number;
  /** Returns the states after the operation with its result; none if `state` does not allow that result. */
  next: (state: State, operation: Operation<Call>) => readonly State[];
};

/** Many times what the history of a run needs. Without this limit, a history without a valid order could take hours. */
const stepsAtMost = 20_000;

/**
 * Searches for an order in which the operations could have run one at a time, each taking effect between its start and
 * its end (Wing and Gong). It does not search again from a set of operations and a state that it has seen (Lowe), nor
 * from one that differs only by having fewer uncertain operations left, and it gives up after `stepsAtMost` steps. An
 * operation that starts at the moment another ends comes after it. Returns `undefined` if there is an order; otherwise
 * the length of the longest one found, and the operations of which none can come next.
 */
export function checkHistory<State, Call>(
  operations: readonly Operation<Call>[],
  { initial, lateMs, next }: Specification<State, Call>,
): { after: number; stuck: readonly Operation<Call>[] } | undefined {
  const certain = operations.filter(({ isCertain }) => isCertain);
  const uncertain = operations.filter(({ isCertain }) => !isCertain);
  const done = new Set<Operation<Call>>();
  /** Maps the certain operations that were left and the state to the sets of uncertain operations that were left. */
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
    // An operation may come next if it starts before any other must have taken effect. Few uncertain ones are needed.
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

/** Returns a sentence about a history that no order explains. */
export function contradictions<State, Call>(
  of: string,
  history: readonly Operation<Call>[],
  specification: Specification<State, Call>,
): string[] {
  const found = checkHistory(history, specification);
  const stuck = found?.stuck.map(({ call, startedAt }) => JSON.stringify({ startedAt, ...call }));
  return found ? [`${of}: after ${found.after} none of ${stuck}`] : [];
}
