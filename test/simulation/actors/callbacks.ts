import type { Attempt } from '../../../shared/callbacks/attempt.ts';
import { webhookId } from '../../../shared/callbacks/callback.ts';
import { unpackDelivered } from '../../../shared/callbacks/delivered-log.ts';
import { endpointSettings } from '../../../shared/callbacks/endpoint/settings.ts';
import { endpointStore } from '../../../shared/callbacks/endpoint/store.ts';
import { callbackReplay } from '../../../shared/callbacks/listing/replay.ts';
import { CallbackRow } from '../../../shared/callbacks/retries/row.ts';
import { systemIds } from '../../../shared/runtime/ids.ts';
import { endpointPartition } from '../../../shared/table/keys.ts';
import { invocations } from '../core/calls.ts';
import { check, entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { Actor, Row, World } from '../world.ts';
import { isTaking, type ReceivedCallback, type SimulatedPartner } from './partners.ts';
import { recordedStates } from './receipts.ts';

/** Rule 23, from the end of one attempt to the beginning of the next: each may be 20 % shorter. */
const waitsMs = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * 1_000);
const skewMs = 4_000;

function isTaken({ mood, verified }: ReceivedCallback): boolean {
  return verified && isTaking(mood);
}

/** When it took callbacks, attempts that failed, and whether an operator may have replayed what was kept. */
interface EndpointHistory {
  readonly successes: readonly number[];
  readonly failures: readonly Attempt[];
  readonly isReplayed: boolean;
}

/**
 * It has not ended, or attempts came too early, one too many or were not counted. After a success of the endpoint its
 * backlog may come forward. Only the newest 20 attempts are kept, over all replays.
 */
function isOutOfRule({ tries, attempts, status }: CallbackRow, endpoint: EndpointHistory): boolean {
  const { successes, isReplayed } = endpoint;
  const isOurs = attempts.some(({ error }) => error === 'local');
  if (isOurs || (!isReplayed && tries !== attempts.length)) return true;
  const ofThisRun = attempts.slice(Math.max(0, attempts.length - tries));
  const isEarly = ofThisRun.slice(1).some(({ at }, n) => {
    const before = ofThisRun[n]?.at ?? 0;
    const recovered = successes.some((success) => success >= before - skewMs && success <= at + skewMs);
    return !recovered && at - before < 0.8 * (waitsMs[n] ?? 0) - skewMs;
  });
  return isEarly || tries > 10 || (status === 'failed' && tries < 10) || status === 'waiting';
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

/** Its first retry came late although its endpoint cannot have been disabled, nor the circuit open. */
function isLate({ attempts: [first, second] }: CallbackRow, endpoint: EndpointHistory): boolean {
  const { successes, failures } = endpoint;
  if (!first?.error || !second) return false;
  const healthyAt = Math.max(0, ...successes.filter((at) => at < first.at));
  const near = failures.filter(({ at }) => at > healthyAt && at < second.at);
  const weight = near.reduce((sum, { error }) => sum + (error === 'timeout' ? 2 : 1), 0);
  const mayRest =
    weight >= opensAt || near.some(({ httpStatus }) => httpStatus === 429 || httpStatus === 410);
  return !mayRest && second.at - first.at - first.durationMs > firstRetryMs;
}

/** It waited on although the circuit of its endpoint, which was open, had closed again for good. */
function isStranded({ attempts, createdAt }: CallbackRow, endpoint: EndpointHistory): boolean {
  const { successes, failures, isReplayed } = endpoint;
  const last = attempts.at(-1)?.at ?? 0;
  const closedAt = Math.min(...successes.filter((at) => at > (attempts.at(-2)?.at ?? createdAt)));
  const healthyAt = Math.max(0, ...successes.filter((at) => at < closedAt));
  const outage = failures.map(({ at }) => at).filter((at) => at > healthyAt && at < last);
  const [first = 0, , , , opened = Number.POSITIVE_INFINITY] = outage.sort((a, b) => a - b);
  const wasOpen = opened - first < windowMs && outage.every((at) => at < closedAt);
  return !isReplayed && wasOpen && last > closedAt + 300_000;
}

/** What partners are told of the states of their messages. */
export function createCallbacks({ partners, table, time, isCalm, log, wallet }: World): Actor {
  const healedAt = new Map<string, number>();
  const settings = endpointSettings({ endpoints: endpointStore(table), clock: time, ids: systemIds });

  /** An operator enables a partner's endpoint again and replays what was kept. */
  const help = ({ who }: Action): Promise<void> => {
    const { partnerId } = partners.of(who);
    const operator = { name: 'operator', skewMs: 0, isDead: () => false, kill: () => {}, isSafe: true };
    return invocations.run(operator, async () => {
      await settings.enable(partnerId, 'operator');
      healedAt.set(partnerId, time.now());
      const selection = { statuses: ['failed', 'skipped'] as const };
      const replayed = await callbackReplay(table, time).all(partnerId, selection);
      log.add(`an operator replays ${replayed} callbacks of ${partnerId}`);
    });
  };

  return {
    does: { help },
    ledger: (rows) => {
      const callbacks = rows('callback').map((row) => CallbackRow.parse(row));
      const rowOf = new Map(callbacks.map((row) => [webhookId(row), row]));
      const recorded = recordedStates(rows);
      const all = partners.all.flatMap(({ partnerId, received }) =>
        received.map((one) => ({ partnerId, ...one })),
      );
      const taken = all.filter(isTaken);
      const takenIds = taken.map((one) => one.webhookId);
      const logged = rows('callbacks delivered at once')
        .flatMap(unpackDelivered)
        .map((one) => webhookId({ partnerId: '', ...one }));
      const closed = rows('endpoint').flatMap(({ pk, status }) => (status === 'disabled' ? pk : []));
      const disabled = partners.all.filter((one) => closed.includes(endpointPartition(one.partnerId)));
      const isUnasked = ({ received }: SimulatedPartner) => !received.some(({ mood }) => mood === 'is gone');
      const histories = partners.all.map(({ partnerId }): [string, EndpointHistory] => {
        const own = callbacks.filter((row) => row.partnerId === partnerId);
        const successes = taken.filter((one) => one.partnerId === partnerId).map(({ atMs }) => atMs);
        const failures = own.flatMap(({ attempts }) => attempts.filter(({ error }) => error));
        return [partnerId, { successes, failures, isReplayed: healedAt.has(partnerId) }];
      });
      const historyOf = new Map(histories);
      const isStillDue = ({ status, dueShard }: Row) => status !== 'waiting' && dueShard !== undefined;
      const judge = (what: string, isWrong: typeof isLate) =>
        check(what, callbacks, (row) => isWrong(row, historyOf.get(row.partnerId) as EndpointHistory));
      const isUnrecorded = (row: CallbackRow) => {
        const seen = all.filter((one) => one.webhookId === webhookId(row));
        return row.attempts.length < Math.min(20, seen.length);
      };
      const isTwice = (id: string) => takenIds.indexOf(id) !== takenIds.lastIndexOf(id);
      const tooSoon = partners.all.flatMap(({ partnerId, received }) =>
        hammering(received, healedAt.get(partnerId) ?? 0),
      );
      return [
        check('each recorded state was told, or is kept with its reason', recorded.keys(), (id) => {
          const { status, reason } = rowOf.get(id) ?? {};
          return !takenIds.includes(id) && !(reason && (status === 'failed' || status === 'skipped'));
        }),
        check(
          'callbacks are signed, and tell a recorded state with the number and the utm that were sent',
          all,
          ({ partnerId, webhookId: id, verified, messageId, state, msisdn, utm }) => {
            const shown = wallet.shown.get(messageId);
            const isDue = recorded.get(id)?.partnerId === partnerId && id === `${messageId}-${state}`;
            return !isDue || !verified || shown?.msisdn !== msisdn || shown.text !== utm.utmSource;
          },
        ),
        check('what is logged as delivered was taken', logged, (id) => !takenIds.includes(id)),
        check('an endpoint is disabled only when it said that it is gone', disabled, isUnasked),
        judge('attempts keep to the schedule, and end', isOutOfRule),
        check('what is settled is not due', rows('callback'), isStillDue),
        // Faults of AWS repeat calls and kill functions that know of a failure.
        ...(isCalm
          ? [
              entry('a failing endpoint is not hammered', all.length, tooSoon),
              check('a callback that was taken is not sent again', new Set(takenIds), isTwice),
              check('every attempt is in its row', callbacks, isUnrecorded),
              judge('a backlog comes when the circuit closes', isStranded),
              judge('the first retry comes in time', isLate),
            ]
          : []),
      ];
    },
  };
}
