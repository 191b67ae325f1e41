import { addressOf } from '../../../shared/push/message-id.ts';
import { createRng } from '../core/rng.ts';
import { check, entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { World } from '../world.ts';
import { isRateRefusal, type Outcome } from './client.ts';
import type { SimulatedPartner } from './partners.ts';

const firstNumber = 79_100_000_000;
export const phones: readonly number[] = Array.from({ length: 60 }, (_, n) => firstNumber + n);

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

function markerOf({ marker }: PushRequest): string {
  return marker;
}

const routes = {
  'single push': 'POST /push/delivery',
  'bulk push': 'POST /push/bulk/single',
  'multi push': 'POST /push/bulk/multi',
} as const;
type Kind = keyof typeof routes;

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

/** Area C: partners send pushes, and compare what they were told with what reached the wallet platform. */
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
    const options = { authorization: partner.authorization, persistent: rng.happens(0.7) };
    const outcome = await request(routes[kind], options, bodyOf(kind, msisdns, marker));
    const { status, body = [] } = outcome.response ?? {};
    const answer = status === 200 ? body : [];
    const elements = Array.isArray(answer) ? answer : [{ msisdn: msisdns[0], ...(answer as object) }];
    requests[place] = { partner, marker, msisdns, isMulti: kind === 'multi push', outcome, elements };
  };

  /** Sends of which no answer told. */
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
      const told = answered.flatMap((of) => of.elements.map((element) => ({ of, ...element })));
      const untold = untoldSends(new Set(told.map(({ messageId }) => messageId)));
      return [
        check(
          'every number has its state in the answer',
          answered,
          ({ elements, msisdns }) =>
            elements.map(({ msisdn }) => msisdn).join() !== msisdns.join() ||
            elements.some(({ msisdn, state }) => state !== stateOf(msisdn)),
          markerOf,
        ),
        check(
          'what was answered ENQUEUED reached the wallet platform as it was sent, and nothing else',
          told,
          ({ of: { partner, marker }, messageId, msisdn, state }) => {
            const shown = wallet.shown.get(messageId);
            if (state !== 'ENQUEUED') return shown !== undefined;
            return shown?.msisdn !== msisdn || shown.partnerId !== partner.partnerId || shown.text !== marker;
          },
          ({ messageId }) => messageId,
        ),
        entry('what no answer names was sent, whole and once', wallet.shown.size, untold),
        check(
          'no valid request was refused',
          requests,
          ({ outcome, elements }) =>
            elements.length === 0 && !outcome.uncertain && !isRateRefusal(outcome.response),
          markerOf,
        ),
        entry('push requests', requests.length),
        entry('pushes shown', wallet.shown.size),
      ];
    },
  };
}
