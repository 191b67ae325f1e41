import { partnerAdminStore } from '../../../shared/partners/partner-admin-store.ts';
import { firstKey } from '../../../shared/partners/partner-rows.ts';
import { sendIdOf } from '../../../shared/push/message-id.ts';
import { asOperator } from '../core/calls.ts';
import { createRng } from '../core/rng.ts';
import { check, entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { RowHistory } from '../watch-rows.ts';
import type { Actor, World } from '../world.ts';
import { basic } from './client.ts';
import { bodyOf, type PushRequest } from './push-request.ts';
import { type createPushes, handedOverWithinMs } from './pushes.ts';
import { recordedStates, sendsIn } from './receipts.ts';
import { phones } from './recipients.ts';

/** A cancellation that was answered with 200. */
type Cancelled = {
  messageId: string;
  of: 'message' | 'send';
  recipients: number;
};

/** The writes of a send's row that gave it an attribute which it had not before. */
function gains(history: RowHistory, name: string): number[] {
  return history.flatMap(({ row, atMs }, n) =>
    row?.[name] !== undefined && history[n - 1]?.row?.[name] === undefined ? [atMs] : [],
  );
}

/**
 * Rule 54: partners schedule sends, and take them back before their time, at it and after it. Others are disabled by an
 * operator before that time, which cancels what they have scheduled.
 */
export function createScheduled(
  { partners, request, time, table, wallet, histories, isCalm }: World,
  { push, requests }: Pick<ReturnType<typeof createPushes>, 'push' | 'requests'>,
): Actor {
  const cancelled: Cancelled[] = [];
  const refused: string[] = [];
  /** The messages of partners that were disabled before their time. */
  const left: PushRequest['elements'][number][] = [];

  const cancel = async (sent: PushRequest, messageId: string, of: Cancelled['of']): Promise<void> => {
    const options = { authorization: sent.partner.authorization, persistent: true };
    const ids = of === 'message' ? [messageId] : sent.elements.map((one) => one.messageId);
    for (const id of ids) sent.takenBack.add(id);
    const { response } = await request(`POST /push/${messageId}/cancel`, options, { of });
    if (response?.status === 200) cancelled.push(response.body as unknown as Cancelled);
    else if (response && response.status < 500 && response.status !== 429)
      refused.push(`${messageId}: ${response.status} ${JSON.stringify(response.body)}`);
  };

  /** Sends later, and takes some back: `atRelease` while it is released, otherwise at any time. */
  const send = async (
    { who, size, variant }: Omit<Action, 'kind' | 'atMs'>,
    atRelease: boolean,
  ): Promise<void> => {
    const rng = createRng('scheduled', variant);
    if (partners.of(who) === partners.limited) return;
    const deliverFrom = time.now() + rng.pick([rng.between(60_000, 180_000), rng.between(60_000, 1_200_000)]);
    const kind = rng.pick(['single push', 'bulk push', 'multi push'] as const);
    const sent = await push(kind, { who, size, variant }, { deliverFrom });
    const { elements } = sent;
    if (elements.length === 0) return;
    const untilIn = (fromMs: number, toMs: number) =>
      Math.max(0, deliverFrom + rng.between(fromMs, toMs) - time.now());
    const around = () => untilIn(-30_000, 60_000);
    // The worker gets the message a little more than 10 s after the time, so this often meets the release itself.
    const meeting = () => untilIn(10_000, 11_000);
    // A replica may not know at the release what is cancelled in these seconds.
    const before = () => untilIn(7_000, 10_200);
    const some = Array.from({ length: rng.between(atRelease ? 1 : 0, 3) }, async () => {
      await time.sleep(atRelease ? meeting() : rng.pick([0, around(), before()]));
      const { messageId } = elements[rng.between(0, elements.length)] as { messageId: string };
      await cancel(sent, messageId, rng.pick(['message', 'send', 'message'] as const));
    });
    await Promise.all(some);
  };

  /** Some sends at once, since few actions of a run are of this kind. */
  const campaign = async ({ who, size, variant }: Action): Promise<void> => {
    const rng = createRng('campaign', variant);
    const atRelease = rng.happens(0.5);
    const sends = Array.from({ length: 8 }, () =>
      send({ who, size, variant: rng.between(0, 1_000_000) }, atRelease),
    );
    await Promise.all(sends);
  };

  const admin = partnerAdminStore(table);
  const secret = 'a secret of a partner that leaves';
  /**
   * A new partner schedules a send, and is disabled before its time. Its client is careless: each try under the key of the
   * first has a later deadline.
   */
  const leave = async ({ variant }: Action): Promise<void> => {
    const rng = createRng('leavers', variant);
    const login = `leaver-${variant}`;
    const key = firstKey({ login, partnerId: login, offerIds: [] }, secret, time.now());
    if ((await asOperator(() => admin.create(key))).outcome !== 'created') return;
    const deliverFrom = time.now() + rng.between(120_000, 600_000);
    const msisdns = phones.slice(0, 5);
    const bodyOfTry = () => {
      const content = { text: login, deadline: time.now() + 3_600_000, wantsCallbacks: false };
      return bodyOf('bulk push', { msisdns, contents: [content], deliverFrom });
    };
    const options = { authorization: basic(login, secret), persistent: true };
    const { response } = await request('POST /push/bulk/single', options, bodyOfTry);
    const leavesAt = deliverFrom - rng.between(1_000, 60_000);
    await time.sleep(Math.max(0, leavesAt - time.now()));
    while (!(await asOperator(() => admin.setDisabled(login, true)))) await time.sleep(1_000);
    if (response?.status === 200 && time.now() < deliverFrom)
      left.push(...(response.body as PushRequest['elements']));
  };

  return {
    does: { 'scheduled push': async (action) => void (await Promise.all([campaign(action), leave(action)])) },
    ledger: (rows) => {
      const recorded = recordedStates(rows);
      const stateOf = (messageId: string, state: string) => recorded.get(`${messageId}-${state}`)?.at;
      const sends = [...histories('single message'), ...histories('bulk send')].filter(
        (history) => history.at(-1)?.row?.['deliverFrom'] !== undefined,
      );
      const sendOf = sendsIn(rows);
      const { asked, removed } = wallet;
      const handedOver = wallet.handedOver.flatMap(({ message: { messageId, deliverFrom }, atMs }) =>
        deliverFrom === undefined ? [] : [{ messageId, deliverFrom, atMs }],
      );
      const ends = [...recorded.keys()]
        .filter((id) => id.endsWith('-CANCELLED'))
        .map((id) => id.slice(0, 36));
      const times = Map.groupBy(wallet.handedOver, ({ message }) => message.messageId);
      // A message that has expired stays so, although phones may remove it.
      const isUnended = (messageId: string) =>
        ['CANCELLED', 'OPENED', 'EXPIRED'].every((state) => stateOf(messageId, state) === undefined);
      return [
        check('rule 54: nothing is handed over before its time', handedOver, ({ deliverFrom, atMs }) => {
          return atMs < deliverFrom || (isCalm && atMs > deliverFrom + handedOverWithinMs);
        }),
        check('rule 54: a send is released at most once, and not once taken back', sends, (history) => {
          const [releasedAt, again] = gains(history, 'toDispatch');
          const [cancelledAt] = gains(history, 'cancelledAt');
          if (again !== undefined) return true;
          return releasedAt !== undefined && cancelledAt !== undefined && cancelledAt < releasedAt;
        }),
        check('rule 54: a send to a registered number is released or taken back', sends, (history) => {
          const row = history.at(-1)?.row;
          const isToAnybody = row?.['registered'] === true || Number(row?.['registeredCount'] ?? 0) > 0;
          return isToAnybody && row?.['releasedAt'] === undefined && row?.['cancelledAt'] === undefined;
        }),
        check('rule 54: nothing is handed over that was taken back in time', handedOver, ({ messageId }) => {
          const releasedAt = sendOf(messageId)?.['releasedAt'];
          if (releasedAt === undefined) return true;
          const at = stateOf(messageId, 'CANCELLED');
          return at !== undefined && at < Math.floor(Number(releasedAt) / 1_000) * 1_000;
        }),
        check(
          'rule 54: without faults every message is handed over once',
          isCalm ? times.values() : [],
          ({ length }) => length !== 1,
        ),
        check('rule 54: what a disabled partner has scheduled ends as CANCELLED', left, (one) => {
          const isCancelled = stateOf(one.messageId, 'CANCELLED') !== undefined;
          return times.has(one.messageId) || isCancelled !== (one.state === 'SCHEDULED');
        }),
        check('rule 54: what is asked back ends as CANCELLED, OPENED or EXPIRED', asked, isUnended),
        check('rule 54: after its release only what a phone removed is CANCELLED', ends, (messageId) => {
          const releasedAt = sendOf(messageId)?.['releasedAt'];
          const at = stateOf(messageId, 'CANCELLED') ?? 0;
          return releasedAt !== undefined && at >= Number(releasedAt) && !removed.has(messageId);
        }),
        check(
          'rule 54: only what its sender takes back is CANCELLED',
          ends.filter((messageId) =>
            partners.all.some(
              ({ partnerId }) => recorded.get(`${messageId}-CANCELLED`)?.partnerId === partnerId,
            ),
          ),
          (messageId) => !requests.some(({ takenBack }) => takenBack.has(messageId)),
        ),
        check('rule 54: what was answered as taken back has ended', cancelled, (one) => {
          const { messageId, of, recipients } = one;
          if (of === 'message') return recipients > 0 && isUnended(messageId);
          const sendId = sendIdOf(messageId);
          const ended = new Set(
            [...recorded.keys()].filter((id) => id.startsWith(sendId)).map((id) => id.slice(0, 36)),
          );
          return [...ended].filter((id) => !isUnended(id)).length < recipients;
        }),
        entry('rule 54: what was accepted can be cancelled', cancelled.length + refused.length, refused),
      ];
    },
  };
}
