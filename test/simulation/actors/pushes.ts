import { addressOf } from '../../../shared/push/message-id.ts';
import { maxSkewMs } from '../core/faults.ts';
import { createRng } from '../core/rng.ts';
import { check, entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { World } from '../world.ts';
import { isRateRefusal, type Outcome, type Try } from './client.ts';
import type { SimulatedPartner } from './partners.ts';

export const phones: readonly number[] = Array.from({ length: 60 }, (_, n) => 79_100_000_000 + n);

export function isRegistered(msisdn: number): boolean {
  return msisdn % 10 !== 9;
}

function stateOf(msisdn: number): string {
  return isRegistered(msisdn) ? 'ENQUEUED' : 'MSISDN_NOT_REGISTERED';
}

/** One request of area C and what the partner knows of it. */
export interface PushRequest {
  readonly partner: SimulatedPartner;
  /** Stands in the text of its pushes. */
  readonly marker: string;
  readonly msisdns: readonly number[];
  /** Several messages to one number count several times. */
  readonly isMulti: boolean;
  readonly outcome: Outcome;
  /** Of an answer 200, else empty. */
  readonly elements: readonly {
    readonly msisdn: number;
    readonly messageId: string;
    readonly state: string;
  }[];
}

const routes = {
  'single push': 'POST /push/delivery',
  'bulk push': 'POST /push/bulk/single',
  'multi push': 'POST /push/bulk/multi',
} as const;
type Kind = keyof typeof routes;

function isUnfit({ elements, msisdns }: PushRequest): boolean {
  const isOther = elements.map(({ msisdn }) => msisdn).join() !== msisdns.join();
  return isOther || elements.some(({ msisdn, state }) => state !== stateOf(msisdn));
}

function isRefused({ outcome, elements }: PushRequest): boolean {
  return elements.length === 0 && !outcome.uncertain && !isRateRefusal(outcome.response);
}

function bodyOf(kind: Kind, msisdns: readonly number[], marker: string): unknown {
  const content = {
    pushType: 'SERVICE',
    payload: { title: 'Simulation', message: marker },
    qos: { deliveryStatusNotifications: true },
    utm: { utmSource: marker },
  };
  if (kind === 'single push') return { ...content, msisdn: msisdns[0] };
  if (kind === 'multi push') return msisdns.map((msisdn) => ({ ...content, msisdn }));
  return { ...content, msisdn: msisdns };
}

function bulkIdOf(messageId: string): string {
  const address = addressOf(messageId);
  return address?.kind === 'bulk' ? address.bulkId : messageId;
}

const windowMs = 60_000;

/** The windows in which a function may have counted the recipients, by the clock of its instance. */
function counted({ msisdns, isMulti, marker }: PushRequest, { startedAt }: Try, { endedAt }: Try) {
  return {
    first: Math.floor((startedAt - maxSkewMs) / windowMs),
    last: Math.floor((endedAt + maxSkewMs) / windowMs),
    count: isMulti ? msisdns.length : new Set(msisdns).size,
    marker,
  };
}

function sumOf(some: readonly { count: number }[]): number {
  return some.reduce((sum, { count }) => sum + count, 0);
}

/** Windows in a row into which more recipients fall than they allow together. */
function exceeded(requests: readonly PushRequest[], limit: number): string[] {
  const accepted = requests.flatMap((one) => {
    const taken = one.outcome.tries.find(({ response }) => !isRateRefusal(response));
    return one.elements.length > 0 && taken ? [counted(one, taken, one.outcome)] : [];
  });
  return accepted.flatMap(({ first: from, marker }) =>
    accepted.flatMap(({ last: to }) => {
      const count = sumOf(accepted.filter(({ first, last }) => first >= from && last <= to));
      const windows = Math.max(0, to - from + 1);
      return count > windows * limit ? [`${count} recipients in ${windows} minutes from ${marker}`] : [];
    }),
  );
}

/** Refusals for which there was no need, even if every call for room was repeated. */
function needless(requests: readonly PushRequest[], limit: number): string[] {
  const counts = (of: (one: Try) => boolean) =>
    requests.flatMap((one) => one.outcome.tries.filter(of).map((made) => counted(one, made, made)));
  const tries = counts(() => true);
  return counts(({ response }) => isRateRefusal(response)).flatMap(({ first, last, marker }) => {
    const most = 2 * sumOf(tries.filter((other) => other.first <= last && other.last >= first));
    return most <= limit ? [`${marker}: at most ${most} of ${limit} were taken`] : [];
  });
}

/** Area C and rule 20: partners send pushes, and compare what they were told with what reached the wallet platform. */
export function createPushes({ partners, request, time, wallet }: World) {
  const requests: PushRequest[] = [];

  const push = async (kind: Kind, { who, size, variant }: Action): Promise<void> => {
    const partner = partners.of(who);
    const rng = createRng('push', variant);
    const marker = `${partner.partnerId} ${requests.length}`;
    const from = rng.between(0, phones.length);
    // Of a bulk send more than share a row of states.
    const count = { 'single push': 1, 'bulk push': 2 * size, 'multi push': size }[kind];
    const msisdns = Array.from({ length: count }, (_, n) => phones[(from + n) % phones.length] as number);
    // A number given twice is sent once.
    if (kind === 'bulk push' && rng.happens(0.3)) msisdns.push(msisdns[0] as number);
    const place = requests.push(undefined as never) - 1;
    const persistent = rng.happens(0.7);
    const twice = persistent && rng.happens(0.1);
    const options = { authorization: partner.authorization, persistent, twice };
    const outcome = await request(routes[kind], options, bodyOf(kind, msisdns, marker));
    const { status, body = [] } = outcome.response ?? {};
    const answer = status === 200 ? body : [];
    const elements = Array.isArray(answer) ? answer : [{ msisdn: msisdns[0], ...(answer as object) }];
    requests[place] = { marker, msisdns, isMulti: kind === 'multi push', outcome, elements, partner };
  };

  const untoldSends = (known: ReadonlySet<string>) => {
    const messages = [...wallet.shown.values()].filter(({ messageId }) => !known.has(messageId));
    const sends = Map.groupBy(messages, ({ messageId }) => bulkIdOf(messageId));
    return [...sends].flatMap(([id, some]) => {
      const of = requests.find(({ marker }) => marker === some[0]?.text);
      if (!of?.outcome.uncertain || of.elements.length > 0) return [`${id}: nobody sent it, or once less`];
      const registered = new Set(of.msisdns.filter(isRegistered)).size;
      return some.length === registered ? [] : [`${id}: ${some.length} of ${registered} recipients`];
    });
  };

  /** More than a minute allows, of the partner with a small limit. */
  const burst = async ({ size, variant, ...action }: Action): Promise<void> => {
    const rng = createRng('burst', variant);
    const who = partners.all.findIndex(({ limits }) => limits.pushesPerMinute);
    const some = Array.from({ length: 3 + (size % 6) }, async () => {
      const kind = rng.pick(['single push', 'bulk push', 'multi push'] as const);
      const one = { ...action, who, size: rng.between(1, 41), variant: rng.between(0, 1_000_000) };
      await time.sleep(rng.between(0, 30_000));
      await push(kind, one);
    });
    await Promise.all(some);
  };

  return {
    requests: requests as readonly PushRequest[],
    does: {
      'burst of pushes': burst,
      'single push': (action: Action) => push('single push', action),
      'bulk push': (action: Action) => push('bulk push', action),
      'multi push': (action: Action) => push('multi push', action),
      'nonsense receipts': async () => wallet.sendNonsense(),
    },
    ledger: () => {
      const answered = requests.filter(({ elements }) => elements.length > 0);
      const told = answered.flatMap((of) => of.elements.map((element) => ({ ...element, of })));
      const untold = untoldSends(new Set(told.map(({ messageId }) => messageId)));
      const wrong = (judge: typeof exceeded) =>
        partners.all.flatMap((partner) => {
          const own = requests.filter((one) => one.partner === partner);
          return judge(own, partner.limits.pushesPerMinute ?? 1_000_000);
        });
      const tries = requests.flatMap(({ outcome }) => outcome.tries);
      const refusals = tries.filter(({ response }) => isRateRefusal(response)).length;
      return [
        check('every number has its state in the answer', answered, isUnfit),
        check(
          'what was answered ENQUEUED reached the wallet platform as it was sent, and nothing else',
          told,
          ({ of: { partner, marker }, messageId, msisdn, state }) => {
            const shown = wallet.shown.get(messageId);
            if (state !== 'ENQUEUED') return shown !== undefined;
            return shown?.msisdn !== msisdn || shown.partnerId !== partner.partnerId || shown.text !== marker;
          },
        ),
        entry('what no answer names was sent, whole and once', wallet.shown.size, untold),
        check('no valid request was refused', requests, isRefused),
        check('of equal requests one runs', requests, ({ outcome }) => {
          const ran = outcome.tries.filter(({ response }) => response?.status === 200 && !response.isReplay);
          return ran.length > 1;
        }),
        entry('no partner sends more than was agreed for a minute', requests.length, wrong(exceeded)),
        entry('nobody is refused for a limit that was not reached', refusals, wrong(needless)),
      ];
    },
  };
}
