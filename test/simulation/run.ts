import type { ServiceModel } from '../../local/template/service-model.ts';
import { createCallbacks } from './actors/callbacks.ts';
import { createCheckIns } from './actors/check-ins.ts';
import { createHistoryReaders } from './actors/history-readers.ts';
import { partnerIds, type SimulatedPartner } from './actors/partners.ts';
import { createPlaces } from './actors/places.ts';
import { createPromotions } from './actors/promotions.ts';
import { createPushes, isRegistered, phones } from './actors/pushes.ts';
import { createRateLimits } from './actors/rate-limits.ts';
import { createReceipts } from './actors/receipts.ts';
import type { TableEngine } from './core/table-engine.ts';
import { entry, type Ledger } from './ledger.ts';
import type { Plan, Trouble } from './plan.ts';
import { createWorld, startMs, type World } from './world.ts';

export interface Result {
  readonly seed: number;
  /** Of everything that happened, in order. */
  readonly hash: string;
  readonly ledger: Ledger;
  readonly balanced: boolean;
  readonly faults: Readonly<Record<string, number>>;
  readonly timeline: readonly string[];
  readonly hours: number;
}

const hourMs = 3_600_000;
/** After the last retry of rule 23 and the longest circuit. */
const quietWithinMs = 100 * hourMs;
/** Lists, leases and visibility timeouts end within this time. */
const restMs = 20 * 60_000;

/** Mostly AWS is in trouble for seconds; one time in six long enough that messages become dead letters. */
function outageMs({ mood, forMs }: Trouble): number {
  return forMs % (mood === 'is gone' ? 30 * 60_000 : 60_000);
}

interface Effect {
  readonly begin: () => void;
  readonly end: () => void;
  readonly forMs: number;
}

function effectOf({ rng, partners, wallet, refusing }: World, trouble: Trouble): Effect {
  const { whose, mood, forMs } = trouble;
  if (whose === 'wallet')
    return { begin: () => wallet.setSilent(true), end: () => wallet.setSilent(false), forMs };
  if (whose === 'table' || whose === 'queues') {
    const end = () => void refusing.delete(whose);
    return { begin: () => void refusing.add(whose), end, forMs: outageMs(trouble) };
  }
  const partner = partners.of(partnerIds.indexOf(whose));
  const retryAfter = String(rng.between(1, 1_200));
  const become = (change: Partial<SimulatedPartner>) => () => void Object.assign(partner, change);
  return { begin: become({ mood, retryAfter }), end: become({ mood: 'is well' }), forMs };
}

/** Nothing is under way any more, and nothing will come due. */
async function isQuiet({ queues, streams, due, time, wallet }: World): Promise<boolean> {
  const busy = [...queues.all()].some(([, queue]) => queue.size() > 0);
  if (busy || !streams.isIdle() || !wallet.isIdle()) return false;
  return !((await due.next()) < time.now() + quietWithinMs);
}

/** Dead letters are moved back, as the runbook says to do once the cause is gone, unless a function ends them. */
function redrive({ queues, log }: World, { eventSources }: ServiceModel): void {
  for (const [name, queue] of queues.all()) {
    if (eventSources.queues.some(({ queueName }) => queueName === name)) continue;
    const home = name.replace(/-dlq(?=\.fifo$|$)/, '');
    if (home === name || !queues.all().has(home) || queue.size() === 0) continue;
    const entries = queue.empty();
    log.add(`an operator moves ${entries.length} messages from ${name} back`);
    for (const entry of entries) queues.queue(home).add(entry);
  }
}

/** Makes one run: so many hours of everything at once, then peace until all has ended, then the ledger. */
export async function run(
  plan: Plan,
  { model, engine, timeline = false }: { model: ServiceModel; engine: TableEngine; timeline?: boolean },
): Promise<Result> {
  const world = await createWorld(plan, model, engine, timeline);
  const { time, faults, log } = world;
  const pushes = createPushes(world);
  const actors = [
    pushes,
    createReceipts(world),
    createCallbacks(world),
    createPlaces(world),
    createPromotions(world),
    createCheckIns(world),
    createHistoryReaders(world, pushes),
    createRateLimits(world, pushes),
  ];
  let busy = 0;
  const failures: string[] = [];
  const begin = (work: Promise<void> | void): void => {
    busy += 1;
    Promise.resolve(work)
      .catch((error: unknown) => failures.push(error instanceof Error ? String(error.stack) : String(error)))
      .finally(() => {
        busy -= 1;
      });
  };
  const registered = phones.filter(isRegistered);
  begin(world.request('PUT /wallet/recipients', { persistent: true }, { registered }).then(() => undefined));
  await time.run(startMs + hourMs, () => busy === 0);

  const spanMs = plan.hours * hourMs;
  const beginsAt = time.now();
  const isOfAws = ({ whose }: Trouble) => whose === 'table' || whose === 'queues';
  const effects = plan.troubles
    .filter((trouble) => !(plan.calm && isOfAws(trouble)))
    .map((trouble) => ({ atMs: beginsAt + trouble.atMs, ...effectOf(world, trouble) }));
  for (const { atMs, forMs, begin: start, end: stop } of effects) {
    time.at(atMs, start);
    time.at(atMs + forMs, stop);
  }
  for (const action of plan.actions) {
    const does = actors.flatMap((actor) => actor.does[action.kind] ?? []);
    time.at(beginsAt + action.atMs, () => {
      for (const act of does) begin(act(action));
    });
  }
  await time.run(beginsAt + spanMs);
  faults.end();
  for (const { end: stop } of effects) stop();
  log.add('nothing goes wrong from here on');
  const end = time.now() + quietWithinMs;
  const eventsAtMost = time.happened() + 40_000;
  do {
    redrive(world, model);
    await time.run(time.now() + restMs, () => time.happened() > eventsAtMost);
  } while (time.now() < end && time.happened() < eventsAtMost && (busy > 0 || !(await isQuiet(world))));

  const rows = await world.rows();
  const isOver = busy === 0 && (await isQuiet(world));
  const ends = [
    entry('everything ends', 1, isOver ? [] : [unfinished(world, busy)]),
    entry('who keeps asking gets a conclusive answer', 1, world.unanswered),
    entry('the simulation itself works', 1, failures),
  ];
  const ledgers: Ledger[] = [{ entries: ends, figures: {} }];
  for (const actor of actors) ledgers.push(await actor.ledger(rows));
  const entries = ledgers.flatMap((ledger) => ledger.entries);
  const figures = Object.assign({}, ...ledgers.map((ledger) => ledger.figures));
  await world.drop();
  return {
    seed: plan.seed,
    hash: log.hash(),
    ledger: { entries, figures },
    balanced: entries.every(({ wrong }) => wrong.length === 0),
    faults: faults.happened(),
    timeline: log.lines(),
    hours: (time.now() - startMs) / hourMs,
  };
}

function unfinished({ queues, streams }: World, busy: number): string {
  const full = [...queues.all()]
    .filter(([, queue]) => queue.size() > 0)
    .map(([name, queue]) => `${name} ${queue.size()}`);
  return `${busy} requests, queues ${full.join(', ') || 'empty'}, streams ${streams.isIdle() ? 'idle' : 'busy'}`;
}
