type Span = { startedAt: number; endedAt: number };

/** Something that is changed from time to time. A change takes effect at some moment of its time. */
export function createSetting<Value>(first: Value) {
  const changes = [{ value: first, from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY }];
  return {
    /** Begins a change, which must not overlap another one. The function that is returned ends it. */
    begin: (value: Value, from: number): ((to: number) => void) => {
      const change = { value, from, to: Number.POSITIVE_INFINITY };
      changes.push(change);
      return (to) => void Object.assign(change, { to });
    },
    /** Returns the values that may hold at some moment of the span. */
    in: ({ startedAt, endedAt }: Span): readonly Value[] => {
      const settled = changes.findLastIndex(({ to }) => to <= startedAt);
      return changes
        .slice(settled)
        .filter(({ from }) => from <= endedAt)
        .map(({ value }) => value);
    },
  };
}
