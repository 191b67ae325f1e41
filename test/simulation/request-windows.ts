import { judgeRefusals, windowsOf } from './windows.ts';

/** One request that counts against a budget, and what its sender knows of it. */
export type BudgetedRequest = {
  startedAt: number;
  endedAt: number;
  isRefused: boolean;
  /** The instance of a function that served it; missing if the response was lost. */
  servedBy: string | undefined;
};

/** Without faults. */
const clock = { windowMs: 10_000, skewMs: 0 };
/** An instance may serve this many requests of a partner before it first looks at the count of the others. */
const handful = 3;

/** Rule 48: returns the windows in which more passed than the budget, half of it, and a handful for each instance. */
export function overfull(requests: readonly BudgetedRequest[], budget: number): string[] {
  const passed = requests
    .filter(({ isRefused }) => !isRefused)
    .map((one) => ({ ...one, ...windowsOf(one, clock) }));
  const inOneWindow = passed.filter(({ first, last }) => first === last);
  return [...Map.groupBy(inOneWindow, ({ first }) => first)].flatMap(([window, some]) => {
    const isIn = ({ first, last }: (typeof passed)[number]) => first <= window && last >= window;
    const instances = new Set(passed.filter(isIn).map(({ servedBy }) => servedBy)).size;
    const most = Math.floor(1.5 * budget) + handful * instances;
    return some.length > most ? [`${some.length} passed in window ${window}, ${most} at most`] : [];
  });
}

/**
 * Rule 48: returns the refusals in windows in which fewer requests than the budget can have passed before. With faults,
 * clocks are wrong by up to `skewMs`, and a request may be counted twice because the table got its count again.
 */
export function needlessRefusals(
  requests: readonly BudgetedRequest[],
  budget: number,
  { skewMs, countedAtMost }: { skewMs: number; countedAtMost: number },
): string[] {
  return judgeRefusals(requests, { ...clock, skewMs }, (refused, others) => {
    const before = others.filter(({ isRefused, startedAt }) => !isRefused && startedAt <= refused.endedAt);
    const most = countedAtMost * before.length;
    return most < budget ? [`refused at ${refused.endedAt} after ${most} of ${budget}`] : [];
  });
}
