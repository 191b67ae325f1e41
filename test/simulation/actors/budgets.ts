import { maxSkewMs } from '../core/faults.ts';
import { createRng } from '../core/rng.ts';
import { check, entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import { type BudgetedRequest, needlessRefusals, overfull } from '../windows.ts';
import type { Actor, Rows, World } from '../world.ts';
import { isBudgetRefusal, type Outcome } from './client.ts';
import { type SimulatedPartner, smallBudgets } from './partners.ts';

const windowMs = 10_000;
const kinds = ['tills', 'heavy', 'others'] as const;
type Kind = (typeof kinds)[number];
/** How many requests each one counts as: a new promotion as ten. */
const weights = { tills: 1, heavy: 1, others: 10 } as const;

const names = { tills: 'tillRequests', heavy: 'heavyRequests', others: 'otherRequests' } as const;
/** What a partner that goes over a budget may agree instead. */
const largerBudgets = { tillRequests: 60, heavyRequests: 24, otherRequests: 600 };

/** Rule 48: a partner goes over one of its budgets, while another one uses half of the same budgets. */
export function createBudgets({ partners, request, time, isCalm, overBudget }: World): Actor {
  const { busy, quiet } = partners;
  const made = new Map<string, BudgetedRequest[]>();
  /** The names of promotions, and whether they exist: `undefined` if the response was lost. */
  const wanted = new Map<string, boolean | undefined>();

  /** How many requests of this kind the budget allows. */
  const budgetOf = ({ agreed }: SimulatedPartner, kind: Kind): number => {
    const now = { startedAt: time.now(), endedAt: time.now() };
    return (agreed.in(now).at(-1)?.[names[kind]] ?? 0) / weights[kind];
  };

  const ask = async (
    partner: SimulatedPartner,
    kind: Kind,
    { route, body, persistent = false }: { route: string; body?: object; persistent?: boolean },
  ): Promise<Outcome> => {
    const { authorization, cafe, partnerId } = partner;
    const of = `${partnerId} ${kind} ${budgetOf(partner, kind)}`;
    const known = made.get(of) ?? [];
    made.set(of, known);
    const outcome = await request(route, { authorization, offerId: cafe.offerId, persistent }, body);
    for (const { response, startedAt, endedAt } of outcome.tries)
      known.push({ startedAt, endedAt, isRefused: isBudgetRefusal(response), servedBy: response?.servedBy });
    return outcome;
  };

  const requests: Readonly<Record<Kind, (partner: SimulatedPartner, n: number) => Promise<unknown>>> = {
    tills: (partner) =>
      ask(partner, 'tills', { route: `GET /partner/api/place/${partner.cafe.placeIds[0]}/checkins` }),
    heavy: (partner) => {
      const content = { pushType: 'SERVICE', payload: { title: 'x', message: 'x' }, qos: {}, utm: {} };
      const body = { ...content, msisdn: [79_100_000_000] };
      return ask(partner, 'heavy', { route: 'POST /push/bulk/single?dryRun=true', body });
    },
    others: async (partner, n) => {
      const name = `${partner.partnerId} ${wanted.size}`;
      wanted.set(name, undefined);
      // Every tenth goes on under its Idempotency-Key until it is created, however often the budget refuses it.
      const persistent = n % 10 === 0 && partner === busy;
      const body = { name, startDate: '2040-01-01T00:00:00+03' };
      const { response, uncertain } = await ask(partner, 'others', {
        route: 'POST /promo/v1/create',
        body,
        persistent,
      });
      if (response?.status === 200 || !uncertain) wanted.set(name, response?.status === 200);
    },
  };

  /** Uses a share of a budget, evenly over a window and a little longer. A half that is counted twice still fits. */
  const use = async (partner: SimulatedPartner, kind: Kind, share: number): Promise<void> => {
    const everyMs = windowMs / (budgetOf(partner, kind) * share);
    const asked: Promise<unknown>[] = [];
    for (let n = 0; n * everyMs < 1.1 * windowMs; n++) {
      asked.push(requests[kind](partner, n));
      await time.sleep(everyMs);
    }
    await Promise.all(asked);
  };

  const burst = async ({ variant }: Action): Promise<void> => {
    const rng = createRng('budgets', variant);
    const over = rng.pick(kinds);
    await time.sleep(windowMs - (time.now() % windowMs) + 200);
    const own = kinds.map((kind) => use(busy, kind, kind === over ? 3 : 0.5));
    await Promise.all([...own, use(quiet, over, 0.5)]);
    if (rng.happens(0.5)) return;
    // Functions that have just worked with one budget must work with the next one.
    await partners.agree(busy, largerBudgets);
    await use(busy, over, 0.5);
    await partners.agree(busy, smallBudgets);
  };
  let bursts: Promise<void> = Promise.resolve();

  return {
    does: {
      'burst of requests': (action) => {
        bursts = bursts.then(() => burst(action));
        return bursts;
      },
    },
    ledger: (rows: Rows) => {
      const names = rows('promotion').map(({ name }) => String(name));
      const isWrong = ([name, exists]: [string, boolean | undefined]) => {
        const count = names.filter((one) => one === name).length;
        return exists === undefined ? count > 1 : count !== Number(exists);
      };
      const judged = (judge: (some: BudgetedRequest[], budget: number) => string[]) =>
        [...made].flatMap(([of, some]) =>
          judge(some, Number(of.split(' ').at(-1))).map((one) => `${of}: ${one}`),
        );
      const faults = isCalm ? { skewMs: 0, countedAtMost: 1 } : { skewMs: maxSkewMs, countedAtMost: 2 };
      const needless = judged((some, budget) => needlessRefusals(some, budget, faults));
      // An instance that cannot count its requests serves them, so with faults more may be served.
      const over = isCalm ? judged(overfull) : [];
      const all = [...made.values()].flat();
      const refused = all.filter(({ isRefused }) => isRefused).length;
      const strangers = overBudget.filter((one) => !one.startsWith(busy.authorization));
      return [
        entry('rule 48: what a budget allows is not refused', refused, needless),
        entry('rule 48: at most half more than a budget passes', all.length, over),
        entry('rule 48: only who goes over a budget is refused', overBudget.length, strangers),
        check('rule 48: what a budget refused was not done, and its key stayed free', wanted, isWrong),
      ];
    },
  };
}
