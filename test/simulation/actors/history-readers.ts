import { isDeepStrictEqual } from 'node:util';
import { maxSkewMs } from '../core/faults.ts';
import { createRng } from '../core/rng.ts';
import { check, entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { Actor, World } from '../world.ts';
import { codeOf, type Try } from './client.ts';
import type { SimulatedPartner } from './partners.ts';
import type { PushRequest } from './push-request.ts';
import { inUnit, recordedStates, sendsIn } from './receipts.ts';

type Recorded = ReturnType<typeof recordedStates>;

type Told = PushRequest['elements'][number] & { request: PushRequest };

type Read = Omit<Try, 'response'> & {
  messageId: string;
  of: Told;
  states: readonly { msisdn: number; state: string; time: string }[];
};

/** Returns when a message was handed over whose send was released: never, if it had ended before. */
function handedOverAt(
  { messageId, state }: Told,
  recorded: Recorded,
  releasedAt: number | undefined,
): number | undefined {
  if (state !== 'SCHEDULED' || releasedAt === undefined) return undefined;
  const ends = ['CANCELLED', 'EXPIRED'].flatMap((end) => recorded.get(`${messageId}-${end}`)?.at ?? []);
  return ends.some((at) => at < inUnit(messageId, releasedAt)) ? undefined : releasedAt;
}

/** True if the history has the state that the sender was told and every later one, in order of time. */
function isComplete({ of, states }: Read, recorded: Recorded, releasedAt: number | undefined): boolean {
  const { startedAt, endedAt } = of.request.outcome;
  // C4 shows whole seconds with the offset +0300.
  const seconds = states.map(({ time }) => Date.parse(time.replace(/00$/, ':00')) / 1_000);
  const acceptedAt = 1_000 * (seconds[states.findIndex(({ state }) => state === of.state)] ?? 0);
  const timeOf = (state: string): number | undefined => {
    if (state === of.state) return acceptedAt;
    return state === 'ENQUEUED'
      ? handedOverAt(of, recorded, releasedAt)
      : recorded.get(`${of.messageId}-${state}`)?.at;
  };
  const expected = [
    ...new Set([of.state, 'ENQUEUED', 'EXPIRED', 'DELIVERED', 'OPENED', 'CANCELLED']),
  ].flatMap((state) => {
    const at = timeOf(state);
    return at === undefined ? [] : [`${state} ${Math.floor(at / 1_000)} ${of.msisdn}`];
  });
  const shown = states.map(({ state, msisdn }, n) => `${state} ${seconds[n]} ${msisdn}`);
  return (
    shown.sort().join() === expected.sort().join() &&
    seconds.every((second, n) => second >= (seconds[n - 1] ?? 0)) &&
    acceptedAt >= startedAt - maxSkewMs - 1_000 &&
    acceptedAt <= endedAt + maxSkewMs
  );
}

/** A later read must show everything that an earlier read showed, with the same times and in the same order. */
function contradicts(before: Read, after: Read): boolean {
  if (before.messageId !== after.messageId || before.endedAt > after.startedAt) return false;
  const still = after.states.filter(({ state }) => before.states.some((one) => one.state === state));
  return JSON.stringify(still) !== JSON.stringify(before.states);
}

/** The members of a report that count messages by the furthest state that they have reached, the furthest first. */
const countOf = {
  OPENED: 'opened',
  CANCELLED: 'cancelled',
  DELIVERED: 'delivered',
  EXPIRED: 'expired',
  ENQUEUED: 'enqueued',
  SCHEDULED: 'scheduled',
  MSISDN_NOT_REGISTERED: 'notRegistered',
} as const;
type State = keyof typeof countOf;

/** Rule 43: returns the lines of the report about a send without the time of acceptance, and its counts. */
function expectedReport({ elements }: PushRequest, recorded: Recorded, isReleased: boolean) {
  const names = [...Object.values(countOf), 'erased'];
  const counts: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
  const messages = [...new Map(elements.map((one) => [one.messageId, one])).values()];
  const lines = messages.map(({ msisdn, messageId, state }) => {
    const atOf = (later: State) => recorded.get(`${messageId}-${later}`)?.at;
    const first = state === 'SCHEDULED' && isReleased ? 'ENQUEUED' : state;
    const furthest = (Object.keys(countOf) as State[]).find(
      (one) => one === first || atOf(one) !== undefined,
    );
    const count = countOf[furthest as State];
    counts[count] = (counts[count] ?? 0) + 1;
    const times = (['DELIVERED', 'OPENED', 'EXPIRED', 'CANCELLED'] as const).map(atOf);
    const shown = times.map((at) => (at === undefined ? '' : `${new Date(at).toISOString().slice(0, 19)}Z`));
    return [msisdn, messageId, furthest, ...shown].join();
  });
  return { lines: lines.sort(), counts: { recipients: messages.length, ...counts } };
}

/** Area C4: partners read the histories of messages while these change, and try to read those of other partners. */
export function createHistoryReaders(world: World, requests: readonly PushRequest[]): Actor {
  const { partners, request, time, rng } = world;
  const reads: Read[] = [];
  const strange: string[] = [];

  const told = (): Told[] =>
    requests.flatMap((one) => one?.elements.map((element) => ({ request: one, ...element })) ?? []);

  const get = async (partner: SimulatedPartner, messageId: string, of?: Told): Promise<void> => {
    const { authorization, partnerId } = partner;
    const route = `GET /push/${messageId}/transactional-state`;
    const { tries } = await request(route, { authorization, persistent: true });
    const { response, ...last } = tries.at(-1) as Try;
    if (of && response?.status === 200)
      reads.push({ messageId, ...(response.body as Pick<Read, 'states'>), ...last, of });
    else if (of || codeOf(response?.body) !== 'MESSAGE_NOT_FOUND')
      strange.push(`${partnerId} reads ${messageId}: ${JSON.stringify(response)}`);
  };
  /** Reads the report of a send in both forms, and returns how they differ from what is expected. */
  const readReport = async (of: PushRequest, recorded: Recorded, isReleased: boolean) => {
    const { authorization } = of.partner;
    const route = `GET /push/${of.elements[0]?.messageId}/report`;
    const ask = async (accept: string) =>
      (await request(route, { authorization, persistent: true, accept })).response?.body;
    const json = (await ask('application/json')) as Record<string, unknown>;
    const csv = String(await ask('text/csv'))
      .split('\r\n')
      .slice(1, -1);
    const { counts, lines } = expectedReport(of, recorded, isReleased);
    const shownCounts = Object.fromEntries(Object.keys(counts).map((name) => [name, json[name]]));
    const shownLines = csv.map((line) => line.split(',').toSpliced(3, 1).slice(0, 7).join()).sort();
    const unlike = [...lines, ...shownLines].filter(
      (line) => !lines.includes(line) || !shownLines.includes(line),
    );
    const isSame = isDeepStrictEqual([shownCounts, shownLines], [counts, lines]);
    return isSame ? [] : [`${of.marker}: ${JSON.stringify([shownCounts, counts, unlike])}`];
  };

  const read = (of: Told): Promise<void> => get(of.request.partner, of.messageId, of);

  const follow = async ({ who, variant }: Action): Promise<void> => {
    const own = partners.of(who);
    const other = partners.of((who + 1) % partners.all.length);
    const choice = createRng('history', variant);
    await time.sleep(choice.between(1_000, 60_000));
    const messages = told().filter((one) => one.request.partner === own);
    const message = messages.at(-1 - choice.between(0, Math.min(messages.length, 60)));
    if (!message) return;
    for (let n = choice.between(3, 9); n > 0; n--) {
      await read(message);
      await time.sleep(choice.pick([0, choice.between(100, 5_000), choice.between(5_000, 300_000)]));
    }
    await get(other, message.messageId);
    await get(own, `00000000${message.messageId.slice(8)}`);
  };

  return {
    does: { 'single push': follow, 'bulk push': follow, 'multi push': follow },
    ledger: async (rows) => {
      const all = told();
      // Random messages are read as well, because partners may not have read them yet.
      const more = Array.from({ length: all.length && 20 }, () => rng.pick(all as [Told]));
      const known = new Map([...reads.map(({ of }) => of), ...more].map((of) => [of.messageId, of]));
      await time.letEnd(Promise.all([...known.values()].map(read)));
      const recorded = recordedStates(rows);
      const sendOf = sendsIn(rows);
      const releaseOf = (messageId: string) => sendOf(messageId)?.['releasedAt'] as number | undefined;
      const sends = requests.filter(({ elements }) => elements.length > 0);
      const largest = sends.toSorted((a, b) => b.elements.length - a.elements.length).slice(0, 3);
      const others = Array.from({ length: sends.length && 3 }, () => rng.pick(sends as [PushRequest]));
      const reported = [...new Set([...largest, ...others])];
      const reports = Promise.all(
        reported.map((of) =>
          readReport(of, recorded, releaseOf(of.elements[0]?.messageId ?? '') !== undefined),
        ),
      );
      const unlike = (await time.letEnd(reports)).flat();
      const isUnfit = (one: Read) => !isComplete(one, recorded, releaseOf(one.messageId));
      const isTakenBack = (one: Read) => reads.some((after) => contradicts(one, after));
      const last = new Map(reads.map((one) => [one.messageId, one])).values();
      return [
        check('rule 18: histories are what was told and recorded in the end', last, isUnfit),
        check('rule 18: what a history showed stays in it', reads, isTakenBack),
        entry('rule 43: a report counts and names messages by their furthest state', reported.length, unlike),
        entry('rule 2: everyone reads their own messages and no others', reads.length, strange),
      ];
    },
  };
}
