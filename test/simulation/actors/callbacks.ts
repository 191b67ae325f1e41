import { webhookId } from '../../../shared/callbacks/callback.ts';
import { callbackArchive } from '../../../shared/callbacks/callback-archive.ts';
import { CallbackRow } from '../../../shared/callbacks/callback-row.ts';
import { endpointStore } from '../../../shared/callbacks/endpoint-store.ts';
import { endpointPartition } from '../../../shared/table/keys.ts';
import { kindOf } from '../../../shared/table/row-kinds.ts';
import { invocations } from '../core/calls.ts';
import { entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { Row, World } from '../world.ts';
import type { Actor } from './actor.ts';
import type { ReceivedCallback, SimulatedPartner } from './partners.ts';
import { recordedStates } from './receipts.ts';

/** Rule 23, from the end of one attempt to the beginning of the next: each may be 20 % shorter. */
const waitsMs = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * 1_000);
const skewMs = 4_000;

function isTaken({ mood, verified }: ReceivedCallback): boolean {
  return verified && (mood === 'is well' || mood === 'is slow');
}

/**
 * Attempts that came too early, or one too many. After a success of the endpoint its backlog may come forward. Only
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
    ...(tries > 10 ? [`${id}: ${tries} attempts`] : []),
    ...(status === 'failed' && tries < 10 ? [`${id}: failed after ${tries} attempts`] : []),
    ...early.map(({ at }) => `${id}: an attempt at ${at} came too early`),
  ];
}

/**
 * A circuit opens after five failures in five minutes, and lets one probe through for each of its cooldowns of 30 s
 * to 15 min: so many attempts in the ten minutes that begin half a minute later.
 */
function hammered(received: readonly ReceivedCallback[]): number {
  let most = 0;
  const failures: number[] = [];
  for (const { atMs, mood } of received) {
    if (mood === 'is well' || mood === 'is slow') {
      failures.length = 0;
      continue;
    }
    failures.push(atMs);
    const fifth = failures.findIndex((at, n) => n >= 4 && at - (failures[n - 4] ?? 0) <= 300_000);
    if (fifth < 0) continue;
    const from = (failures[fifth] ?? 0) + 30_000;
    most = Math.max(most, failures.filter((at) => at >= from && at < from + 600_000).length);
  }
  return most;
}

/** What partners are told of the states of their messages. */
export function createCallbacks(world: World): Actor {
  const { partners, table, time, faults, log, wallet } = world;

  /** An operator enables a partner's endpoint again and replays what was kept. */
  const help = ({ who }: Action): Promise<void> => {
    const { partnerId } = partners.partners[who] as SimulatedPartner;
    const operator = { name: 'operator', skewMs: 0, isDead: () => false, kill: () => {}, isSafe: true };
    return invocations.run(operator, async () => {
      await endpointStore(table).enable(partnerId);
      const selection = { statuses: ['failed', 'skipped'] as const };
      const replayed = await callbackArchive(table).replayAll(partnerId, selection, time.now());
      log.add(`an operator replays ${replayed} callbacks of ${partnerId}`);
    });
  };

  const ofPartner = (
    partner: SimulatedPartner,
    due: readonly string[],
    kept: ReadonlyMap<string, CallbackRow>,
  ) => {
    const taken = new Set(partner.received.filter(isTaken).map(({ webhookId }) => webhookId));
    const lost = due.filter((id) => {
      const row = kept.get(id);
      const isKept = row && (row.status === 'failed' || row.status === 'skipped') && row.reason;
      return !taken.has(id) && !isKept;
    });
    const inventions = partner.received.filter(({ webhookId }) => !due.includes(webhookId));
    const most = hammered(partner.received);
    const allowed = 9 + Object.values(faults.happened()).reduce((sum, times) => sum + times, 0);
    return { lost, inventions, hammered: most > allowed ? [`${partner.partnerId}: ${most}`] : [] };
  };

  return {
    does: { help },
    ledger: (rows: readonly Row[]) => {
      const callbacks = rows
        .filter((row) => kindOf(row).kind.name === 'callback')
        .map((row) => CallbackRow.parse(row));
      const kept = new Map(callbacks.map((row) => [webhookId(row), row]));
      const states = recordedStates(rows);
      const due = Map.groupBy([...states], ([, { partnerId }]) => partnerId);
      const found = partners.partners.map((partner) => {
        const ids = (due.get(partner.partnerId) ?? []).map(([id]) => id.replace(' ', '-'));
        return ofPartner(partner, ids, kept);
      });
      const received = partners.partners.flatMap((partner) => partner.received);
      const unsigned = received.filter(({ verified }) => !verified);
      const unlike = received.filter((one) => one.webhookId !== `${one.messageId}-${one.state}`);
      const garbled = received.filter(({ messageId, msisdn, utm }) => {
        const shown = wallet.shown.get(messageId);
        return shown?.msisdn !== msisdn || shown.text !== utm.utmSource;
      });
      const disabled = partners.partners.filter(({ partnerId }) =>
        rows.some(({ pk, status }) => pk === endpointPartition(partnerId) && status === 'disabled'),
      );
      const unasked = disabled.filter(({ received: some }) => !some.some(({ mood }) => mood === 'is gone'));
      const waiting = callbacks.filter(({ status }) => status === 'waiting');
      const ids = (some: readonly ReceivedCallback[]) => some.map(({ webhookId }) => webhookId);
      return {
        entries: [
          entry(
            'each recorded state was told, or is kept with its reason',
            states.size,
            found.flatMap(({ lost }) => lost),
          ),
          entry('nothing else was told', received.length, ids(found.flatMap(({ inventions }) => inventions))),
          entry('requests to partners are signed', received.length, ids(unsigned)),
          entry('callbacks carry the number and the utm that were sent', received.length, ids(garbled)),
          entry(
            'an endpoint is disabled only when it said that it is gone',
            disabled.length,
            unasked.map(({ partnerId }) => partnerId),
          ),
          entry('a callback has the same webhook-id at every attempt', received.length, ids(unlike)),
          entry(
            'attempts keep to the schedule',
            callbacks.length,
            callbacks.flatMap((row) => {
              const { received = [] } =
                partners.partners.find(({ partnerId }) => partnerId === row.partnerId) ?? {};
              return attemptsOutOfRule(
                row,
                received.filter(isTaken).map(({ atMs }) => atMs),
              );
            }),
          ),
          entry('no callback waits for ever', callbacks.length, waiting.map(webhookId)),
          entry(
            'a failing endpoint is not hammered',
            partners.partners.length,
            found.flatMap((one) => one.hammered),
          ),
        ],
        figures: { 'callbacks received': received.length, 'callbacks with a row': callbacks.length },
      };
    },
  };
}
