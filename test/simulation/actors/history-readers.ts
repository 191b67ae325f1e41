import { createRng } from '../core/rng.ts';
import { entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { World } from '../world.ts';
import { type Actor, letEnd } from './actor.ts';
import { codeOf, type Try } from './client.ts';
import type { SimulatedPartner } from './partners.ts';
import type { createPushes, PushRequest } from './pushes.ts';
import type { SentReceipt } from './wallet.ts';

interface Change {
  readonly msisdn: number;
  readonly state: string;
  readonly time: string;
}

interface Told {
  readonly request: PushRequest;
  readonly messageId: string;
  readonly msisdn: number;
  readonly state: string;
}

interface Read {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly states: readonly Change[];
}

const maxSkewMs = 2_000;
/** How many messages more are looked at in the end. */
const finalReads = 20;

/** As C4 shows it: whole seconds at +0300. */
function secondsOf(time: string): number {
  return Date.parse(time.replace(/00$/, ':00')) / 1_000;
}

/** What is wrong with an answer: it has the state the sender was told, and what devices had reported by then. */
function whatIsWrong(of: Told, { states, endedAt }: Read, receipts: readonly SentReceipt[]) {
  const { outcome } = of.request;
  const seconds = states.map(({ time }) => secondsOf(time));
  const first = states.find(({ state }) => state === of.state);
  const acceptedAt = first ? secondsOf(first.time) * 1_000 : 0;
  const invented = states.filter(
    ({ state, time }) =>
      state !== of.state &&
      !receipts.some((receipt) => {
        const atMs = Date.parse(receipt.time);
        return receipt.state === state && atMs <= endedAt && Math.floor(atMs / 1_000) === secondsOf(time);
      }),
  );
  if (!first) return `not ${of.state}`;
  if (states.some(({ msisdn }) => msisdn !== of.msisdn)) return 'another msisdn';
  if (new Set(states.map(({ state }) => state)).size < states.length) return 'a state twice';
  if (seconds.some((second, n) => second < (seconds[n - 1] ?? 0))) return 'not in the order of time';
  if (acceptedAt < outcome.startedAt - maxSkewMs - 1_000 || acceptedAt > outcome.endedAt + maxSkewMs)
    return 'accepted at another time';
  return invented[0] && `nobody reported ${invented[0].state}`;
}

/** Area C4: partners read histories of messages while these happen, and try to read those of others. */
export function createHistoryReaders(
  { partners, request, wallet, time, rng }: World,
  { requests }: ReturnType<typeof createPushes>,
): Actor {
  const reads = new Map<string, Read[]>();
  const strange: string[] = [];
  let foreign = 0;

  const told = (): Told[] =>
    requests.flatMap((one) => one?.elements.map((element) => ({ request: one, ...element })) ?? []);

  const get = async (partner: SimulatedPartner, messageId: string): Promise<Try | undefined> => {
    const route = `GET /push/${messageId}/transactional-state`;
    const { authorization } = partner;
    const { tries } = await request(route, { authorization, persistent: true });
    const last = tries.at(-1);
    if (last?.response && last.response.status < 500) return last;
    strange.push(`${messageId}: no answer to ${tries.length} tries`);
    return undefined;
  };

  const read = async (partner: SimulatedPartner, messageId: string): Promise<void> => {
    const last = await get(partner, messageId);
    if (!last) return;
    const { startedAt, endedAt, response } = last;
    if (response?.status !== 200) {
      strange.push(`${messageId}: ${response?.status} ${JSON.stringify(response?.body)}`);
      return;
    }
    const { states } = response.body as { states: readonly Change[] };
    reads.set(messageId, [...(reads.get(messageId) ?? []), { startedAt, endedAt, states }]);
  };

  const findNothing = async (partner: SimulatedPartner, messageId: string): Promise<void> => {
    const last = await get(partner, messageId);
    if (!last) return;
    foreign += 1;
    if (last.response?.status !== 404 || codeOf(last.response.body) !== 'MESSAGE_NOT_FOUND')
      strange.push(`${partner.partnerId} reads ${messageId}: ${JSON.stringify(last.response)}`);
  };

  const follow = async ({ who, variant }: Action): Promise<void> => {
    const partner = partners.partners[who] as SimulatedPartner;
    const choice = createRng('history', variant);
    await time.sleep(choice.between(1_000, 60_000));
    const own = told().filter((one) => one.request.partnerId === partner.partnerId);
    const message = own.at(-1 - choice.between(0, Math.min(own.length, 60)));
    if (!message) return;
    for (let n = choice.between(3, 9); n > 0; n--) {
      await read(partner, message.messageId);
      await time.sleep(choice.pick([0, choice.between(100, 5_000), choice.between(5_000, 300_000)]));
    }
    const other = partners.partners[(who + 1) % partners.partners.length] as SimulatedPartner;
    await findNothing(other, message.messageId);
    await findNothing(partner, `00000000${message.messageId.slice(8)}`);
  };

  /** What a read showed, a read that starts later shows too, at the same time. */
  const changed = (messageId: string, some: readonly Read[]): string[] =>
    some.flatMap((before) =>
      some.flatMap((after) => {
        const lost = before.states.filter(({ state, time }) => {
          const found = after.states.find((one) => one.state === state);
          return found ? found.time !== time : before.endedAt <= after.startedAt;
        });
        return lost.map(
          ({ state, time }) =>
            `${messageId}: ${state} of ${time}, read at ${before.endedAt}, is not so in the read of ${after.startedAt}`,
        );
      }),
    );

  return {
    does: { 'single push': follow, 'bulk push': follow, 'multi push': follow },
    ledger: async () => {
      const all = told();
      const byId = new Map(all.map((one) => [one.messageId, one]));
      const more = Array.from(
        { length: Math.min(finalReads, all.length) },
        () => all[rng.between(0, all.length)],
      );
      const ids = new Set([...reads.keys(), ...more.flatMap((one) => one?.messageId ?? [])]);
      const last = [...ids].map((messageId) => {
        const of = byId.get(messageId)?.request.partnerId;
        return read(
          partners.partners.find(({ partnerId }) => partnerId === of) as SimulatedPartner,
          messageId,
        );
      });
      await letEnd(time, Promise.all(last));
      const reported = Map.groupBy(wallet.sent, ({ messageId }) => messageId);
      const wrong = [...reads].flatMap(([messageId, some]) =>
        some.flatMap((one) => {
          const why = whatIsWrong(byId.get(messageId) as Told, one, reported.get(messageId) ?? []);
          return why ? [`${messageId}, ${why}: ${JSON.stringify(one)}`] : [];
        }),
      );
      const incomplete = [...reads].flatMap(([messageId, some]) => {
        const shown = new Set(some.at(-1)?.states.map(({ state }) => state));
        const missing = (reported.get(messageId) ?? []).filter(({ state }) => !shown.has(state));
        return missing.map(({ state }) => `${messageId}: ${state} is missing`);
      });
      const readings = [...reads.values()].reduce((sum, some) => sum + some.length, 0);
      return {
        entries: [
          entry('histories have what was told and reported so far, and nothing else', readings, wrong),
          entry(
            'what a history showed stays in it',
            readings,
            [...reads].flatMap(([id, some]) => changed(id, some)),
          ),
          entry('histories are complete in the end', reads.size, incomplete),
          entry('nobody reads a message of another, and every own one is found', foreign, strange),
        ],
        figures: { 'histories read': readings },
      };
    },
  };
}
