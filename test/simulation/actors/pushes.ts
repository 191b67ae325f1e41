import { isDeepStrictEqual } from 'node:util';
import type { Row } from '../../../shared/platform/table/batches.ts';
import { sendIdOf } from '../../../shared/push/message-id.ts';
import { maxSkewMs } from '../core/faults.ts';
import { createRng } from '../core/rng.ts';
import { check, entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { RowHistory } from '../watch-rows.ts';
import { exceeded, needless } from '../windows.ts';
import type { Rows, World } from '../world.ts';
import { isRateRefusal } from './client.ts';
import {
  bodyOf,
  isAsSent,
  type Kind,
  markerIn,
  numbered,
  type PushRequest,
  routes,
  type ShownMessage,
} from './push-request.ts';
import { phones, type Recipients } from './recipients.ts';

/** Returns a check that is true if a send of several messages is missing from its partner's list of sends. */
function isUnlisted(rows: Rows) {
  const keyOf = ({ bulkId, acceptedAt }: Row) => `${acceptedAt} ${bulkId}`;
  const listed = new Set(rows('send in lists').map(keyOf));
  return (send: Row) => Number(send['count']) > 1 && !listed.has(keyOf(send));
}

/** Whether a later write changed a row that was accepted. */
function isReplaced([accepted, ...later]: RowHistory): boolean {
  // The row of a scheduled send changes when it is released or taken back.
  if (accepted?.row?.['deliverFrom'] !== undefined) return false;
  return later.some(({ row }) => !isDeepStrictEqual(row, accepted?.row));
}

function isRefused({ outcome, elements, contents, deliverFrom }: PushRequest): boolean {
  if (elements.length > 0 || outcome.uncertain || isRateRefusal(outcome.response)) return false;
  const endedAt = outcome.tries.at(-1)?.endedAt ?? 0;
  // These times may have passed before the client's last retry.
  const times = [deliverFrom, ...contents.map(({ deadline }) => deadline)];
  const isTooLate = times.some((atMs) => atMs !== undefined && atMs <= endedAt + maxSkewMs);
  return outcome.response?.status !== 400 || !isTooLate;
}

const windowMs = 60_000;
/** Rule 54: without faults, a message is handed over at most this long after its time. */
export const handedOverWithinMs = 70_000;

/** Area C and rule 20: partners send pushes, and compare the responses with what reached the wallet platform. */
export function createPushes(world: World, recipients: Recipients) {
  const { partners, request, time, wallet, histories, isCalm } = world;
  /** Those that have ended, with a response or without. */
  const requests: PushRequest[] = [];
  let begun = 0;

  const push = async (
    kind: Kind,
    { who, size, variant }: Omit<Action, 'kind' | 'atMs'>,
    { isPatient = true, deliverFrom }: { isPatient?: boolean; deliverFrom?: number } = {},
  ): Promise<PushRequest> => {
    const partner = partners.of(who);
    const rng = createRng('push', variant);
    const marker = `${partner.partnerId} ${begun++}`;
    const from = rng.between(0, phones.length);
    // Doubling the size lets a bulk send exceed the 40 recipients that share a row of states.
    const count = { 'single push': 1, 'bulk push': 2 * size, 'multi push': size }[kind];
    const msisdns = Array.from({ length: count }, (_, n) => phones[(from + n) % phones.length] as number);
    // A number that is given twice gets one message.
    if (kind === 'bulk push' && rng.happens(0.3)) msisdns.push(msisdns[0] as number);
    const persistent = isPatient && rng.happens(0.7);
    const twice = persistent && rng.happens(0.1);
    const options = { authorization: partner.authorization, persistent, twice };
    const deadline = () =>
      rng.happens(0.5)
        ? (deliverFrom ?? time.now()) + rng.pick([rng.between(3_000, 30_000), rng.between(30_000, 1_800_000)])
        : undefined;
    const isMulti = kind === 'multi push';
    const content = (text: string) => ({ text, deadline: deadline(), wantsCallbacks: rng.happens(0.9) });
    const shared = content(marker);
    const contents = msisdns.map((_, n) => (isMulti ? content(numbered(marker, n)) : shared));
    const outcome = await request(routes[kind], options, bodyOf(kind, { msisdns, contents, deliverFrom }));
    const { status, body = [] } = outcome.response ?? {};
    const answer = status === 200 ? body : [];
    const elements = Array.isArray(answer) ? answer : [{ msisdn: msisdns[0], ...(answer as object) }];
    const sent = { partner, marker, msisdns, contents, deliverFrom, isMulti, outcome, elements };
    const made = { ...sent, takenBack: new Set<string>() };
    requests.push(made);
    return made;
  };

  const isUnfit = ({ elements, msisdns, outcome, deliverFrom }: PushRequest): boolean => {
    const isOther = elements.map(({ msisdn }) => msisdn).join() !== msisdns.join();
    const accepted = deliverFrom === undefined ? 'ENQUEUED' : 'SCHEDULED';
    const isWrong = ({ msisdn, state }: PushRequest['elements'][number]) =>
      !recipients
        .statesOf(msisdn, outcome)
        .map((one) => (one === 'ENQUEUED' ? accepted : one))
        .includes(state);
    return isOther || elements.some(isWrong);
  };

  const untoldSends = (known: ReadonlySet<string>) => {
    const messages = [...wallet.shown.values()].filter(({ messageId }) => !known.has(messageId));
    const sends = Map.groupBy(messages, ({ messageId }) => sendIdOf(messageId));
    return [...sends].flatMap(([id, some]) => {
      const markerOf = (one: typeof some | undefined) => markerIn(one?.[0]?.text ?? '');
      const of = requests.find(({ marker }) => marker === markerOf(some));
      if (!of?.outcome.uncertain || of.elements.length > 0) return [`${id}: nobody sent it, or once less`];
      const isTwice = [...sends.keys()].some(
        (other) => other !== id && markerOf(sends.get(other)) === of.marker,
      );
      if (isTwice) return [`${id}: sent twice`];
      const isOfRequest = (one: ShownMessage) => of.msisdns.some((_, n) => isAsSent(one, of, n));
      if (!some.every(isOfRequest)) return [`${id}: with other contents`];
      const shown = new Set(some.map(({ msisdn }) => msisdn));
      const isWrong = (msisdn: number) => {
        const states = recipients.statesOf(msisdn, of.outcome);
        return !states.includes(shown.has(msisdn) ? 'ENQUEUED' : 'MSISDN_NOT_REGISTERED');
      };
      const isDue = of.contents.some(({ deadline }) => deadline !== undefined);
      const wrong = isDue ? [] : of.msisdns.filter(isWrong);
      return wrong.length === 0 ? [] : [`${id}: not as it was with ${wrong.join()}`];
    });
  };

  /** The wallet platform unregisters phones to which messages are being sent, and registers them again. */
  const unregister = async ({ size, variant, ...action }: Action): Promise<void> => {
    const rng = createRng('phones', variant);
    const first = rng.between(0, phones.length);
    const some = phones.filter((msisdn, n) => (n + first) % 3 === 0 && msisdn % 10 !== 9).slice(0, size);
    const send = (kind: Kind) => push(kind, { ...action, size: 24, variant: rng.between(0, 1_000_000) });
    const before = send('multi push');
    await time.sleep(rng.between(50, 3_000));
    await recipients.set(some, false);
    await Promise.all([before, send('bulk push'), time.sleep(rng.between(0, 600_000))]);
    await recipients.set(some, true);
  };

  /** Sends more than a minute allows, as the partner with a small limit. */
  const burst = async ({ size, variant, ...action }: Action): Promise<void> => {
    const rng = createRng('burst', variant);
    const who = partners.all.indexOf(partners.limited);
    const some = Array.from({ length: 3 + (size % 6) }, async () => {
      const kind = rng.pick(['single push', 'bulk push', 'multi push'] as const);
      const one = { ...action, who, size: rng.between(1, 41), variant: rng.between(0, 1_000_000) };
      await time.sleep(rng.between(0, 30_000));
      await push(kind, one);
    });
    await Promise.all(some);
    // Three pushes spend what functions have leased of this minute. The next minute gets 64 pushes and allows 60.
    await time.sleep(windowMs - (time.now() % windowMs) - 4_000);
    const send = (kind: Kind, size: number) =>
      push(kind, { who, size, variant: rng.between(0, 1_000_000) }, { isPatient: false });
    for (let n = 0; n < 3; n++) await send('single push', 1);
    await time.sleep(windowMs - (time.now() % windowMs) + 2_000);
    for (const count of [26, 26]) await send('multi push', count);
    for (let n = 0; n < 12; n++) await send('single push', 1);
    if (rng.happens(0.5)) return;
    // Functions that have just worked with one limit must work with the next one.
    await partners.agree(partners.limited, { pushesPerMinute: 30 });
    await time.sleep(windowMs - (time.now() % windowMs) + 2_000);
    for (const count of [26, 26]) await send('multi push', count);
    await time.sleep(windowMs);
    await partners.agree(partners.limited, { pushesPerMinute: 60 });
  };
  let bursts: Promise<void> = Promise.resolve();

  return {
    requests: requests as readonly PushRequest[],
    push,
    does: {
      'burst of pushes': (action: Action) => {
        bursts = bursts.then(() => burst(action));
        return bursts;
      },
      phones: unregister,
      'single push': async (action: Action) => void (await push('single push', action)),
      'bulk push': async (action: Action) => void (await push('bulk push', action)),
      'multi push': async (action: Action) => void (await push('multi push', action)),
    },
    ledger: (rows: Rows) => {
      const answered = requests.filter(({ elements }) => elements.length > 0);
      const told = answered.flatMap((of) => of.elements.map((element, n) => ({ ...element, n, of })));
      const untold = untoldSends(new Set(told.map(({ messageId }) => messageId)));
      const byMarker = new Map(requests.map((one) => [one.marker, one]));
      const accepted = new Map(
        [...wallet.shown.values()].flatMap(({ messageId, text, acceptedAt, deliverFrom }) => {
          const request = byMarker.get(markerIn(text));
          // A scheduled send counts in the minute of its time. The partner with a small limit schedules none.
          return request && deliverFrom === undefined
            ? [[sendIdOf(messageId), { request, acceptedAt }] as const]
            : [];
        }),
      );
      const exceeding = partners.all.flatMap((partner) => {
        const own = [...accepted.values()].filter(({ request }) => request.partner === partner);
        return exceeded(own, partner.agreed);
      });
      const refusedInVain = partners.all.flatMap((partner) => {
        const own = requests.filter((one) => one.partner === partner);
        return needless(own, partner.agreed, isCalm);
      });
      const tries = requests.flatMap(({ outcome }) => outcome.tries);
      const sends = (['single message', 'bulk send', 'part of a bulk send'] as const).flatMap(histories);
      const refusals = tries.filter(({ response }) => isRateRefusal(response)).length;
      return [
        check('rule 18: every number has its state in the answer', answered, isUnfit),
        check('rule 18: exactly what was accepted arrives as sent', told, ({ messageId, state, of, n }) => {
          const shown = wallet.shown.get(messageId);
          if (state === 'MSISDN_NOT_REGISTERED') return shown !== undefined;
          if (shown) return !isAsSent(shown, of, n);
          const { outcome, deliverFrom = outcome.endedAt, contents, takenBack } = of;
          const inTimeMs = isCalm ? handedOverWithinMs : Number.POSITIVE_INFINITY;
          const isOver = Number(contents[n]?.deadline) < Math.max(outcome.endedAt, deliverFrom) + inTimeMs;
          return !isOver && !takenBack.has(messageId);
        }),
        entry('rule 5: what no answer names was sent, whole and once', wallet.shown.size, untold),
        check('rule 43: a send of several messages is in its list', rows('bulk send'), isUnlisted(rows)),
        check('rule 5: an accepted send stays as it was accepted', sends, isReplaced),
        check('rule 17: no valid request was refused', requests, isRefused),
        check('rule 5: of equal requests one runs', requests, ({ outcome }) => {
          const ran = outcome.tries.filter(({ response }) => response?.status === 200 && !response.isReplay);
          return ran.length > 1;
        }),
        entry('rule 20: no partner sends more than was agreed for a minute', requests.length, exceeding),
        entry('rule 20: nobody is refused for a limit that was not reached', refusals, refusedInVain),
      ];
    },
  };
}
