import { webhookId } from '../../../shared/callbacks/callback.ts';
import { callbackArchive } from '../../../shared/callbacks/callback-archive.ts';
import { CallbackRow } from '../../../shared/callbacks/callback-row.ts';
import { unpackDelivered } from '../../../shared/callbacks/delivered-log.ts';
import { endpointStore } from '../../../shared/callbacks/endpoint-store.ts';
import { endpointPartition } from '../../../shared/table/keys.ts';
import { kindOf } from '../../../shared/table/row-kinds.ts';
import { invocations } from '../core/calls.ts';
import { entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { Row, World } from '../world.ts';
import type { Actor } from './actor.ts';
import { isTaking, type ReceivedCallback, type SimulatedPartner } from './partners.ts';
import { recordedStates } from './receipts.ts';

/** Rule 23, from the end of one attempt to the beginning of the next: each may be 20 % shorter. */
const waitsMs = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * 1_000);
const skewMs = 4_000;

function isTaken({ mood, verified }: ReceivedCallback): boolean {
  return verified && isTaking(mood);
}

/**
 * Attempts that came too early, one too many, or still to come. After a success of the endpoint its backlog may come forward. Only
 * the newest 20 attempts are kept, over all replays.
 */
function attemptsOutOfRule(row: CallbackRow, successes: readonly number[]): string[] {
  const { messageId, state, tries, attempts, status } = row;
  const id = `${messageId} ${state}`;
  const ofThisRun = attempts.slice(Math.max(0, attempts.length - tries));
  const early = ofThisRun.slice(1).filter(({ at }, n) => {
    const before = ofThisRun[n] as (typeof attempts)[number];
    const recovered = successes.some((success) => success >= before.at - skewMs && success <= at + skewMs);
    return !recovered && at - before.at < 0.8 * (waitsMs[n] ?? 0) - skewMs;
  });
  return [
    ...(tries > 10 || (status === 'failed' && tries < 10) || status === 'waiting'
      ? [`${id}: ${status} after ${tries} attempts`]
      : []),
    ...early.map(({ at }) => `${id}: an attempt at ${at} came too early`),
  ];
}

/** A circuit opens after five failures, each within five minutes of the one before. */
const opensAt = 5;
const windowMs = 300_000;
/** What was under way when it opened has ended, and every instance knows. */
const settledMs = 25_000;
const shortestCooldownMs = 30_000 - skewMs;

/** Attempts that came too soon after another although the circuit is open. */
function hammering(received: readonly ReceivedCallback[], healedAt: number): string[] {
  const tooSoon: string[] = [];
  let failures: number[] = [];
  let reopens = 0;
  for (const { atMs, mood, webhookId: id } of received.filter((one) => one.atMs > healedAt)) {
    const before = failures.at(-1) ?? 0;
    if (isTaking(mood)) {
      // It may take nine seconds, and close a circuit that has opened meanwhile.
      reopens = atMs + 10_000;
      failures = [];
    } else if (failures.length >= opensAt) {
      const settledAt = (failures[opensAt - 1] ?? 0) + settledMs;
      if (before > settledAt && atMs - before < shortestCooldownMs) tooSoon.push(`${id} at ${atMs}`);
      failures.push(atMs);
    } else if (atMs > reopens) {
      failures = atMs - before > windowMs ? [atMs] : [...failures, atMs];
    }
  }
  return tooSoon;
}

const firstRetryMs = 1.2 * 5_000 + 60_000 + skewMs;

/** First retries that came late although their endpoint cannot have been disabled, nor its circuit open. */
function retriesTooLate(rows: readonly CallbackRow[], successes: readonly number[]): string[] {
  const failures = rows.flatMap(({ attempts }) => attempts.filter(({ error }) => error));
  return rows.flatMap(({ messageId, state, attempts: [first, second] }) => {
    if (!first?.error || !second) return [];
    const healthyAt = Math.max(0, ...successes.filter((at) => at < first.at));
    const near = failures.filter(({ at }) => at > healthyAt && at < second.at);
    const weight = near.reduce((sum, { error }) => sum + (error === 'timeout' ? 2 : 1), 0);
    const mayRest =
      weight >= opensAt || near.some(({ httpStatus }) => httpStatus === 429 || httpStatus === 410);
    return !mayRest && second.at - first.at - first.durationMs > firstRetryMs
      ? [`${messageId} ${state}`]
      : [];
  });
}

/** What partners are told of the states of their messages. */
export function createCallbacks(world: World): Actor {
  const { partners, table, time, isCalm, log, wallet } = world;

  const healedAt = new Map<string, number>();

  /** An operator enables a partner's endpoint again and replays what was kept. */
  const help = ({ who }: Action): Promise<void> => {
    const { partnerId } = partners.of(who);
    const operator = { name: 'operator', skewMs: 0, isDead: () => false, kill: () => {}, isSafe: true };
    return invocations.run(operator, async () => {
      await endpointStore(table).enable(partnerId);
      healedAt.set(partnerId, time.now());
      const selection = { statuses: ['failed', 'skipped'] as const };
      const replayed = await callbackArchive(table).replayAll(partnerId, selection, time.now());
      log.add(`an operator replays ${replayed} callbacks of ${partnerId}`);
    });
  };

  return {
    does: { help },
    ledger: (rows: readonly Row[]) => {
      const callbacks = rows
        .filter((row) => kindOf(row).kind.name === 'callback')
        .map((row) => CallbackRow.parse(row));
      const rowOf = new Map(callbacks.map((row) => [webhookId(row), row]));
      const due = new Map([...recordedStates(rows)].map(([id, of]) => [id.replace(' ', '-'), of.partnerId]));
      const all = partners.partners.flatMap((partner) =>
        partner.received.map((one) => ({ partner, ...one })),
      );
      const taken = new Set(all.filter(isTaken).map((one) => one.webhookId));
      const logged = rows
        .filter((row) => kindOf(row).kind.name === 'callbacks delivered at once')
        .flatMap((row) => unpackDelivered(row).map((one) => webhookId({ partnerId: '', ...one })));
      const lost = [...due.keys()].filter((id) => {
        const { status, reason } = rowOf.get(id) ?? {};
        return !taken.has(id) && !((status === 'failed' || status === 'skipped') && reason);
      });
      const garbled = all.filter(({ partner, webhookId: id, verified, messageId, state, msisdn, utm }) => {
        const shown = wallet.shown.get(messageId);
        const isDue = due.get(id) === partner.partnerId && id === `${messageId}-${state}`;
        return !isDue || !verified || shown?.msisdn !== msisdn || shown.text !== utm.utmSource;
      });
      const disabled = partners.partners.filter(({ partnerId }) =>
        rows.some(({ pk, status }) => pk === endpointPartition(partnerId) && status === 'disabled'),
      );
      const unasked = disabled.filter(({ received }) => !received.some(({ mood }) => mood === 'is gone'));
      const late: string[] = [];
      const outOfRule = partners.partners.flatMap(({ partnerId, received }) => {
        const successes = received.filter(isTaken).map(({ atMs }) => atMs);
        const own = callbacks.filter((row) => row.partnerId === partnerId);
        late.push(...retriesTooLate(own, successes));
        return own.flatMap((row) => attemptsOutOfRule(row, successes));
      });
      const tooSoon = partners.partners.flatMap(({ partnerId, received }) =>
        hammering(received, healedAt.get(partnerId) ?? 0),
      );
      const takenTwice = [...taken].filter(
        (id) => all.filter((one) => one.webhookId === id && isTaken(one)).length > 1,
      );
      const calm = (what: string, of: number, wrong: readonly string[]) =>
        isCalm ? [entry(what, of, wrong)] : [];
      const settled = callbacks.filter(({ status }) => status !== 'waiting');
      const stillDue = rows.filter(
        (row) => 'dueShard' in row && row['status'] !== undefined && row['status'] !== 'waiting',
      );
      const names = (some: readonly SimulatedPartner[]) => some.map(({ partnerId }) => partnerId);
      return [
        entry('each recorded state was told, or is kept with its reason', due.size, lost),
        entry(
          'callbacks are signed, and tell a recorded state with the number and the utm that were sent',
          all.length,
          garbled.map((one) => one.webhookId),
        ),
        entry(
          'what is logged as delivered was taken',
          logged.length,
          logged.filter((id) => !taken.has(id)),
        ),
        entry('an endpoint is disabled only when it said that it is gone', disabled.length, names(unasked)),
        entry('attempts keep to the schedule, and end', callbacks.length, outOfRule),
        entry(
          'what is settled is not due',
          settled.length,
          stillDue.map(({ pk, sk }) => `${pk} ${sk}`),
        ),
        // Faults of AWS repeat calls and kill functions that know of a failure.
        ...calm('a failing endpoint is not hammered', all.length, tooSoon),
        ...calm('a callback that was taken is not sent again', taken.size, takenTwice),
        ...calm('the first retry comes in time', callbacks.length, late),
        entry('callbacks received', all.length),
        entry('callbacks with a row', callbacks.length),
      ];
    },
  };
}
