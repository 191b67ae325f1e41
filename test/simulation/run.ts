import { createAccounts } from './actors/accounts.ts';
import { createAlerts } from './actors/alerts.ts';
import { createBudgets } from './actors/budgets.ts';
import { createCallbacks } from './actors/callbacks.ts';
import { createCheckIns } from './actors/check-ins.ts';
import { createDeadlines } from './actors/deadlines.ts';
import { createFeeds } from './actors/feeds.ts';
import { createHistoryReaders } from './actors/history-readers.ts';
import { createKeys } from './actors/keys.ts';
import { createPlaces } from './actors/places.ts';
import { createPromotions } from './actors/promotions.ts';
import { createPushes } from './actors/pushes.ts';
import { createReceipts } from './actors/receipts.ts';
import { createRecipients, phones } from './actors/recipients.ts';
import { createScheduled } from './actors/scheduled.ts';
import { createUnreadable } from './actors/unreadable.ts';
import { askFor } from './endpoint-requests.ts';
import { keptAsPromised } from './kept-rows.ts';
import { entry } from './ledger.ts';
import { countedAsHappened } from './measured.ts';
import type { Plan, Trouble } from './plan.ts';
import { type Actor, type Context, createWorld, startMs, type World } from './world.ts';

export type Result = Awaited<ReturnType<typeof run>>;

const hourMs = 3_600_000;
/** Longer than all retries of rule 23, and than the longest circuit. */
const quietWithinMs = 100 * hourMs;
/** Lists, leases and visibility timeouts end within this time. */
const restMs = 20 * 60_000;

/** The pace that a partner sets for a while, in callbacks a second. */
const pace = 4;

/** Returns a function that starts a trouble when called with true, and ends it when called with false. */
function switchOf(world: World, { whose, mood }: Trouble, begin: (work: Promise<unknown>) => void) {
  const { rng, partners, wallet, refusing } = world;
  if (whose === 'wallet') return wallet.setSilent;
  if (whose === 'table' || whose === 'queues')
    return (isOn: boolean) => void (isOn ? refusing.add(whose) : refusing.delete(whose));
  const partner = partners.named(whose);
  const retryAfter = String(
    rng.between(1, mood === 'has a rate limit' || mood === 'has set its pace' ? 30 : 1_200),
  );
  const trouble = { mood, retryAfter };
  return (isOn: boolean): void => {
    Object.assign(partner, isOn ? trouble : { mood: 'is well' });
    // Alerts have a pace that is not set.
    if (mood !== 'has set its pace' || !partners.all.includes(partner)) return;
    const route = 'PUT /callbacks/endpoint';
    const settings = { maxPerSecond: isOn ? pace : undefined };
    begin(askFor(world, partner, { route, settings }, { maxPerSecond: isOn ? pace : null }));
  };
}

function fullQueues({ queues }: World) {
  return queues.all.filter((queue) => queue.size() > 0);
}

/** True if nothing is in progress and nothing will come due. */
async function isQuiet(world: World): Promise<boolean> {
  const { streams, nextDue, time, wallet } = world;
  if (fullQueues(world).length > 0 || !streams.isIdle() || !wallet.isIdle()) return false;
  return (await nextDue()) >= time.now() + quietWithinMs;
}

/** Moves dead letters back, as the runbook says to do once the cause is gone, unless a function reads the queue. */
function redrive(world: World, isRead: (queueName: string) => boolean): void {
  const { queues, log, wallet } = world;
  for (const { name, empty } of fullQueues(world)) {
    const home = queues.all.find((one) => one.name === name.replace(/-dlq(?=\.fifo$|$)/, ''));
    if (isRead(name) || !home || home.name === name) continue;
    const entries = empty();
    log.add(`an operator moves ${entries.length} messages from ${name} back`);
    for (const entry of entries) {
      if (home.name.endsWith('push-outbox')) wallet.movedBack.add(entry.MessageBody);
      home.add(entry);
    }
  }
}

/** Makes one run: everything at once for hours, then nothing goes wrong until all work has ended, then the ledger. */
export async function run(plan: Plan, context: Context) {
  const world = await createWorld(plan, context);
  const { time, faults, log, streams } = world;
  const recipients = createRecipients(world);
  const pushes = createPushes(world, recipients);
  const actors: readonly Actor[] = [
    pushes,
    createDeadlines(world, pushes.requests),
    createScheduled(world, pushes),
    createReceipts(world),
    createUnreadable(world),
    createCallbacks(world, pushes.requests),
    createAlerts(world),
    createPlaces(world),
    createPromotions(world),
    createCheckIns(world),
    createHistoryReaders(world, pushes.requests),
    createFeeds(world, pushes.requests),
    createKeys(world),
    createAccounts(world),
    createBudgets(world),
  ];
  let busy = 0;
  const failures: string[] = [];
  const begin = async (work: Promise<unknown>): Promise<void> => {
    busy += 1;
    await work.catch((error: Error) => failures.push(String(error.stack)));
    busy -= 1;
  };
  const registered = phones.filter((msisdn) => msisdn % 10 !== 9);
  begin(recipients.set(registered, true));
  await time.run(startMs + hourMs, () => busy === 0);

  const beginsAt = time.now();
  const turns: ((isOn: boolean) => void)[] = [];
  for (const trouble of plan.troubles) {
    const { atMs, forMs, mood, whose } = trouble;
    const isOfAws = whose === 'table' || whose === 'queues';
    if (plan.calm && isOfAws) continue;
    // AWS is mostly in trouble for seconds; in one mood it is for so long that messages become dead letters.
    const lastsMs = isOfAws ? forMs % (mood === 'is gone' ? 30 * 60_000 : 60_000) : forMs;
    const turn = switchOf(world, trouble, begin);
    time.at(beginsAt + atMs, () => turn(true));
    time.at(beginsAt + atMs + lastsMs, () => turn(false));
    turns.push(turn);
  }
  for (const action of plan.actions) {
    const does = actors.flatMap((actor) => actor.does[action.kind] ?? []);
    time.at(beginsAt + action.atMs, () => {
      for (const act of does) begin(act(action));
    });
  }
  await time.run(beginsAt + plan.hours * hourMs);
  faults.end();
  for (const turn of turns) turn(false);
  log.add('nothing goes wrong from here on');
  const { queues: sources } = context.model.eventSources;
  const quietAt = time.now() + quietWithinMs;
  const eventsAtMost = time.happened() + 40_000;
  const isOver = async () => busy === 0 && (await isQuiet(world));
  do {
    redrive(world, (name) => sources.some(({ queueName }) => queueName === name));
    await time.run(time.now() + restMs, () => time.happened() > eventsAtMost);
  } while (time.now() < quietAt && time.happened() < eventsAtMost && !(await isOver()));

  const rows = await world.rows();
  const full = fullQueues(world).map(({ name, size }) => `${name} ${size()}`);
  const unfinished = `${busy} requests, queues ${full.join(', ') || 'empty'}, streams ${streams.isIdle() ? 'idle' : 'busy'}`;
  const ledger = [entry('everything ends', 1, (await isOver()) ? [] : [unfinished])];
  for (const actor of actors) ledger.push(...(await actor.ledger(rows)));
  // The actors make requests for their entries, too.
  ledger.push(
    entry('who keeps asking gets a conclusive answer', 1, world.unanswered),
    entry('no function makes a call that its role forbids, or succeeds before its calls have ended', 1, [
      ...world.forbidden,
    ]),
    keptAsPromised(world, (time.now() - beginsAt) / hourMs),
    entry('the simulation itself works', 1, failures),
    ...(plan.calm
      ? [entry('without faults no request fails', 1, world.failed), countedAsHappened(world, rows)]
      : []),
  );
  await world.drop();
  return {
    seed: plan.seed,
    hash: log.hash(),
    ledger,
    balanced: ledger.every(({ wrong }) => wrong.length === 0),
    faults: faults.happened,
    timeline: log.lines(),
    logged: world.logged,
    hours: (time.now() - startMs) / hourMs,
  };
}
