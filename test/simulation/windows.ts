type Span = { startedAt: number; endedAt: number };

/** The numbers of the first and the last window of the clock in which something may have been counted. */
type Windows = { first: number; last: number };

/** `skewMs` is how far the clock may be off that counts. */
type Clock = { windowMs: number; skewMs: number };

export function windowsOf({ startedAt, endedAt }: Span, { windowMs, skewMs }: Clock): Windows {
  return {
    first: Math.floor((startedAt - skewMs) / windowMs),
    last: Math.floor((endedAt + skewMs) / windowMs),
  };
}

/** Judges each refused request by all that may have been counted in its windows, of which it is one. */
export function judgeRefusals<One extends Span & { isRefused: boolean }>(
  requests: readonly One[],
  clock: Clock,
  judge: (refused: One & Windows, counted: readonly One[]) => string[],
): string[] {
  const all = requests.map((one) => ({ ...one, ...windowsOf(one, clock) }));
  return all
    .filter(({ isRefused }) => isRefused)
    .flatMap((refused) => {
      const counted = all.filter(({ first, last }) => first <= refused.last && last >= refused.first);
      return judge(refused, counted);
    });
}
