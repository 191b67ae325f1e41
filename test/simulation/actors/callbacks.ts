import { webhookId } from '../../../shared/callbacks/callback.ts';
import { CallbackRow } from '../../../shared/callbacks/rows/callback-store.ts';
import { endpointPartition } from '../../../shared/platform/table/row-keys/callbacks.ts';
import {
  type CallbackFacts,
  deferredInVain,
  goneInVain,
  livesOf,
  offSchedule,
  replayedWrongly,
  type Step,
  stepsOf,
  stranded,
  unlikeMade,
} from '../callback-history.ts';
import {
  type EndpointFacts,
  inForceWithinMs,
  openedTooShort,
  unclaimed,
  unjustified,
} from '../circuit-history.ts';
import { maxSkewMs } from '../core/faults.ts';
import { agedInVain, begunOverPace, begunWhileDisabled, wrongChanges } from '../endpoint-history.ts';
import { askFor, ignored, isLift, leftByReplays, madeWithinMs, refusedInVain } from '../endpoint-requests.ts';
import { type Case, check, judged } from '../ledger.ts';
import type { Action } from '../plan.ts';
import { historyIn, type Row } from '../watch-rows.ts';
import type { Actor, World } from '../world.ts';
import { isToldAsSent, messagesOf } from './expected-messages.ts';
import { deliveredIn } from './feeds.ts';
import { type SimulatedPartner, takenBy } from './partners.ts';
import type { PushRequest } from './push-request.ts';
import { recordedStates } from './receipts.ts';

const pauseMs = 600_000;

/** Checks that partners are told the states of their messages, and that attempts follow the rules for endpoints. */
export function createCallbacks(world: World, requests: readonly PushRequest[]): Actor {
  const { partners, isCalm, isLong, exchanges, histories } = world;
  /** The partner enables its endpoint again, and replays what it missed and the newest callbacks that it got. */
  const enable = async (partner: SimulatedPartner): Promise<void> => {
    await askFor(world, partner, {
      route: 'POST /callbacks/endpoint/enable',
      settings: { status: 'enabled' },
    });
    const messageIds = [...new Set(partner.received.slice(-20).map(({ messageId }) => messageId))];
    const selections = [{ status: 'failed' }, { status: 'skipped' }, { messageIds }] as const;
    for (const selection of messageIds.length > 0 ? selections : selections.slice(0, 2))
      await askFor(world, partner, { route: 'POST /callbacks/replay', selection }, selection);
  };

  /** The partner moves its endpoint to another URL on the same server. */
  const move = (partner: SimulatedPartner, to: number): Promise<void> => {
    const settings = { url: `${partner.url}/${to}` };
    return askFor(world, partner, { route: 'PUT /callbacks/endpoint', settings }, settings);
  };

  /** The partner stops its callbacks for a while, sometimes twice. */
  const pause = async (partner: SimulatedPartner, isTwice: boolean): Promise<void> => {
    const disabling = {
      route: 'POST /callbacks/endpoint/disable',
      settings: { status: 'disabled' },
    } as const;
    await askFor(world, partner, disabling);
    if (isTwice) await askFor(world, partner, disabling);
    await world.time.sleep(pauseMs);
    await enable(partner);
  };

  const help = async ({ who, variant }: Action): Promise<void> => {
    const partner = partners.of(who);
    if (variant % 5 === 0) return pause(partner, variant % 2 === 0);
    const isMoved = variant % 3 > 0;
    const isEnabled = variant % 3 < 2;
    await Promise.all([
      ...(isMoved ? [move(partner, variant)] : []),
      ...(isEnabled ? [enable(partner)] : []),
    ]);
  };

  const factsOf = ({ partnerId, asked }: SimulatedPartner): EndpointFacts => {
    const partition = endpointPartition(partnerId);
    return {
      exchanges: exchanges.filter((one) => one.partnerId === partnerId),
      asked,
      callbacks: histories('callback').filter(([first]) => first?.row?.['partnerId'] === partnerId),
      lifts: asked.filter(isLift).sort((a, b) => a.to - b.to),
      settings: historyIn(histories('endpoint'), partition),
      circuit: historyIn(histories('circuit'), partition),
      knownWithinMs: isCalm ? inForceWithinMs : madeWithinMs,
      skewMs: isCalm ? 0 : 2 * maxSkewMs,
      isLong,
    };
  };

  const isChosen = (id: string, partnerId: unknown): boolean => {
    const { states } = partners.all.find((one) => one.partnerId === partnerId)?.settings ?? {};
    return states?.some((state) => id.endsWith(state)) ?? true;
  };

  /** The partner reads its callbacks, mostly, or has them posted. */
  const switchMode = ({ who, variant }: Action): Promise<void> => {
    const settings = { mode: variant % 3 > 0 ? 'feed' : 'post' } as const;
    return askFor(world, partners.of(who), { route: 'PUT /callbacks/endpoint', settings }, settings);
  };

  return {
    does: { help, mode: switchMode },
    ledger: (rows) => {
      const messages = messagesOf(world, requests);
      const endpoints = new Map<string, EndpointFacts>(
        partners.endpoints.map((one) => [one.partnerId, factsOf(one)]),
      );
      const callbacks = rows('callback').map((row) => CallbackRow.parse(row));
      const rowOf = new Map(callbacks.map((row) => [webhookId(row), row]));
      const recorded = new Map(
        [...recordedStates(rows)].filter(([id, { partnerId }]) => isChosen(id, partnerId)),
      );
      const wanted = [...recorded.keys()].filter((id) => messages.get(id.slice(0, 36))?.wantsCallbacks);
      const all = partners.all.flatMap(({ partnerId, received }) =>
        received.map((one) => ({ partnerId, ...one })),
      );
      const takenIds = partners.endpoints.flatMap(takenBy);
      const taken = new Set(takenIds);
      const { posted: logged, fed } = deliveredIn(rows);
      const madeOf = Map.groupBy(exchanges, (one) => one.webhookId);
      const facts = histories('callback')
        .flatMap(livesOf)
        .map((life): CallbackFacts => {
          const steps = stepsOf(life);
          const [{ row }] = steps as [Step];
          const own = madeOf.get(webhookId(row)) ?? [];
          const { atMs: removedAt } = life.find((version) => !version.row) ?? {};
          return { ...(endpoints.get(row.partnerId) as EndpointFacts), exchanges: own, steps, removedAt };
        });
      const removed = facts.flatMap(({ steps, removedAt }) =>
        removedAt === undefined || !steps[0] ? [] : [webhookId(steps[0].row)],
      );
      const ofRows = (what: string, judge: (one: CallbackFacts) => Case[]) =>
        judged(what, facts.flatMap(judge));
      const ofEndpoints = (what: string, judge: (one: EndpointFacts) => Case[]) =>
        judged(what, [...endpoints.values()].flatMap(judge));
      const isStillDue = ({ status, dueShard }: Row) => status !== 'waiting' && dueShard !== undefined;
      const isTwice = (id: string) =>
        rowOf.get(id)?.replayedAt === undefined && takenIds.indexOf(id) !== takenIds.lastIndexOf(id);
      const atOnce = [...madeOf].filter(([id]) => !rowOf.has(id) && !removed.includes(id));
      return [
        check('rules 23 and 44: each wanted state was told, or is kept with its reason', wanted, (id) => {
          const { status, reason } = rowOf.get(id) ?? {};
          return !taken.has(id) && !fed.has(id) && !(reason && (status === 'failed' || status === 'skipped'));
        }),
        check(
          'rule 22: callbacks are signed, and tell a recorded state with the number and the utm that were sent',
          all,
          ({ verified, ...told }) => !verified || !isToldAsSent(messages, recorded, told),
        ),
        check('rule 33: what is logged as delivered was taken', logged, (id) => !taken.has(id)),
        check('rule 58: a row goes only once the feed has its callback', removed, (id) => !fed.has(id)),
        check(
          'rule 23: what a row calls delivered was taken, and nothing waits in the end',
          callbacks,
          (row) => (row.status === 'delivered' ? !taken.has(webhookId(row)) : row.status === 'waiting'),
        ),
        check('rule 23: what is settled is not due', rows('callback'), isStillDue),
        check('rule 33: what is listed has its status', rows('callback'), ({ status, listedShard }) => {
          return !String(listedShard).endsWith(`#${status}`);
        }),
        ofRows('rule 52: a replay begins from scratch as another version, kept no longer', replayedWrongly),
        ofEndpoints('rule 52: a replay leaves out nothing that it has to replay', leftByReplays),
        ofRows('rule 23: attempts keep to the schedule, and end', offSchedule),
        ofRows('rule 24: only an open circuit defers, only a disabled endpoint is skipped', deferredInVain),
        ofRows('rule 23: every 410 disables', goneInVain),
        ofEndpoints('rule 23: what a partner asks of its endpoint is not refused', refusedInVain),
        ofEndpoints('rule 23: an endpoint is as its partner asks', ignored),
        ofEndpoints('rules 23 and 35: settings change in turn, and are disabled for a reason', wrongChanges),
        ofEndpoints('rule 23: nothing begins at a disabled endpoint', begunWhileDisabled),
        ofEndpoints('rules 24 and 35: a circuit opens and closes for a reason', unjustified),
        ofEndpoints('rule 24: behind an open circuit only claimed probes begin', unclaimed),
        ...(isCalm
          ? [
              // With faults, an instance whose clock is wrong would use its slots too early or too late.
              ofEndpoints('rule 44: an endpoint is called at its pace', begunOverPace),
              // With faults, a killed function would lose what it has learned of the endpoint.
              ofEndpoints('rules 24 and 35: failures or a pause open a circuit long enough', openedTooShort),
              // Few runs have a case.
              ...[
                ofEndpoints('rule 35: ten failures in a long time without a success disable', agedInVain),
              ].filter(({ of }) => of > 0),
              // With faults, a callback that a killed function has delivered would be delivered again.
              check('rule 23: a callback that was taken is not sent again', taken, isTwice),
              // With faults, a killed function would record no attempt.
              ofRows('rule 33: every attempt is in its row', unlikeMade),
              check('rule 23: what has no row was delivered at its first attempt', atOnce, ([, made]) => {
                return made.length !== 1 || made[0]?.result?.ok !== true;
              }),
              // With faults, the log may miss what a killed function has delivered.
              check('rule 33: a delivery at the first attempt is logged', atOnce, ([id, [made]]) => {
                return !made?.partnerId.endsWith('#alerts') && !logged.has(id);
              }),
              // With faults, late messages and dead letters of AWS's queues would hold back their callbacks.
              ofRows('rule 24: nothing that is due waits behind a closed circuit', stranded),
            ]
          : []),
      ];
    },
  };
}
