import type { Time } from '../core/time.ts';
import type { Ledger } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { Row } from '../world.ts';

/** Somebody who uses the service, and knows what must have come of it. */
export interface Actor {
  readonly does: Partial<Record<Action['kind'], (action: Action) => Promise<void> | void>>;
  /** When all is quiet: compares what happened with what should have. `rows` are those of the table. */
  readonly ledger: (rows: readonly Row[]) => Promise<Ledger> | Ledger;
}

const finalRequestsMs = 3_600_000;

/** Makes requests when the run is over: they take time, and nothing else happens any more. */
export async function letEnd<Result>(time: Time, work: Promise<Result>): Promise<Result> {
  let over = false;
  const end = () => {
    over = true;
  };
  work.then(end, end);
  await time.run(time.now() + finalRequestsMs, () => over);
  if (!over) throw new Error('a request at the end of the run has no answer');
  return work;
}
